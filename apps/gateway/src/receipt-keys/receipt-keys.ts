import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { request } from 'undici';
import { Upstreams } from '../pipeline/forwarding/upstreams';
import { ServedFile } from '../documents/served-file';

export const KEYS_PATH = '/.well-known/plimsoll-keys.json';
const CACHED_MS = 60_000;
const DEADLINE_MS = 2_000;
const MOST_BYTES = 1_048_576;

/** The public keys of receipts, from positions. */
@Injectable()
export class ReceiptKeys {
  private known: { file: ServedFile; readAtMs: number } | undefined;
  private reading: Promise<ServedFile> | undefined;

  constructor(private readonly upstreams: Upstreams) {}

  /**
   * Keys are only added, so earlier ones are served while positions is unavailable.
   * @throws upstream_unavailable when none were read since the start
   */
  async file(nowMs: number): Promise<ServedFile> {
    if (this.known && nowMs - this.known.readAtMs < CACHED_MS) return this.known.file;
    this.reading ??= this.read(nowMs).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(nowMs: number): Promise<ServedFile> {
    for (const { origin } of this.upstreams.all.positions.addresses) {
      const body = await this.readFrom(origin);
      if (!body) continue;
      const file = new ServedFile('application/json; charset=utf-8', body, 'public, max-age=300');
      this.known = { file, readAtMs: nowMs };
      return file;
    }
    if (this.known) {
      // The next request does not wait for the deadline again.
      this.known = { ...this.known, readAtMs: nowMs };
      return this.known.file;
    }
    throw new Problem(
      'upstream_unavailable',
      'The keys of receipts cannot be read at the moment. Try again after the seconds in Retry-After.',
      { headers: { 'retry-after': '5' } },
    );
  }

  /** Null: this instance does not respond. */
  private async readFrom(origin: string): Promise<Buffer | null> {
    try {
      const { statusCode, headers, body } = await request(origin + KEYS_PATH, {
        dispatcher: this.upstreams.agent,
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      if (statusCode !== 200 || Number(headers['content-length'] ?? 0) > MOST_BYTES) {
        await body.dump();
        return null;
      }
      return Buffer.from(await body.arrayBuffer());
    } catch {
      return null;
    }
  }
}
