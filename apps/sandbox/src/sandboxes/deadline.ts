/** Below the deadline of the gateway, which counts a later response as a failure of the sandbox. */
const RESPONSE_MS = 13_000;

/** The moment until which a request has its response. Create it when the request arrives. */
export class Deadline {
  private readonly atMs: number;

  constructor(ms = RESPONSE_MS) {
    this.atMs = performance.now() + ms;
  }

  get leftMs(): number {
    return Math.max(0, this.atMs - performance.now());
  }
}
