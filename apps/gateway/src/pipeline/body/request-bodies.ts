import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { GatewayConfig } from '../../config';
import { whenOver } from '../response/when-over';
import { announcedBytes, hasBody } from './body-headers';

const MIB = 1_048_576;
export const MAX_BODY_BYTES = MIB;
/** Memory that a body of unknown length takes first. It doubles as the body grows. */
const FIRST_BYTES = 16_384;

const TOO_LARGE = new Problem('body_too_large', 'Send a body of at most 1 MiB.');
export const REQUEST_TIMEOUT = new Problem(
  'request_timeout',
  'The request did not arrive completely in time. Send it again without a pause.',
);
const FULL = new Problem(
  'upstream_unavailable',
  'Too many request bodies are in memory. Send the request again after the seconds in Retry-After.',
  { headers: { 'Retry-After': '2' } },
);
const BROKEN_OFF = new Problem('invalid_request', 'The body ended early. Send the request again.');

/**
 * Reads bodies completely before they take a connection to a service, so that a slow upload costs memory of a
 * fixed limit and nothing else.
 */
@Injectable()
export class RequestBodies {
  private readonly freeBytes: { left: number };

  constructor(private readonly config: GatewayConfig) {
    this.freeBytes = { left: config.BODY_BUFFER_MIB * MIB };
  }

  /**
   * Returns the complete body, null without one, or the problem: body_too_large, request_timeout, or
   * upstream_unavailable when the memory for bodies is in use. The memory is free when the response is over.
   */
  read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | Problem> | Problem | null {
    if (!hasBody(request)) return null;
    const announced = announcedBytes(request);
    if (announced !== undefined && announced > MAX_BODY_BYTES) return TOO_LARGE;
    const memory = new BodyMemory(this.freeBytes, announced ?? MAX_BODY_BYTES);
    whenOver(response, () => memory.free());
    return this.receive(request, response, memory);
  }

  private receive(
    request: IncomingMessage,
    response: ServerResponse,
    memory: BodyMemory,
  ): Promise<Buffer | Problem> {
    const { BODY_SILENCE_MS, BODY_DEADLINE_MS } = this.config;
    const startedAtMs = performance.now();
    return new Promise((resolve) => {
      const end = (result: Buffer | Problem): void => {
        clearTimeout(silence);
        request.off('data', take);
        // The remaining body is read and dropped, so that the client reads the response.
        request.resume();
        resolve(result);
      };
      const late = (): void => {
        response.shouldKeepAlive = false;
        end(REQUEST_TIMEOUT);
      };
      const silence = setTimeout(late, Math.min(BODY_SILENCE_MS, BODY_DEADLINE_MS));
      const take = (piece: Buffer): void => {
        const problem = memory.add(piece);
        if (problem) return end(problem);
        if (performance.now() - startedAtMs > BODY_DEADLINE_MS) late();
        else silence.refresh();
      };
      request.on('data', take);
      request.on('end', () => end(memory.body));
      request.on('error', (error: Error) => end(error instanceof Problem ? error : BROKEN_OFF));
      request.on('close', () => end(BROKEN_OFF));
    });
  }
}

/** One growing buffer: a list of pieces of one byte each would take a hundred times their size. */
class BodyMemory {
  private buffer = Buffer.alloc(0);
  private length = 0;

  /**
   * @param free bytes that all bodies may still take
   * @param most bytes of this body
   */
  constructor(
    private readonly all: { left: number },
    private readonly most: number,
  ) {}

  get body(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  add(piece: Buffer): Problem | undefined {
    const length = this.length + piece.length;
    if (length > this.most) return TOO_LARGE;
    if (length > this.buffer.length && !this.grow(length)) return FULL;
    piece.copy(this.buffer, this.length);
    this.length = length;
    return undefined;
  }

  free(): void {
    this.all.left += this.buffer.length;
    this.buffer = Buffer.alloc(0);
    this.length = 0;
  }

  private grow(atLeast: number): boolean {
    const size = Math.min(this.most, Math.max(atLeast, this.buffer.length * 2, FIRST_BYTES));
    const more = size - this.buffer.length;
    if (more > this.all.left) return false;
    this.all.left -= more;
    const grown = Buffer.allocUnsafeSlow(size);
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
    return true;
  }
}
