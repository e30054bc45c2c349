import type { Readable } from 'node:stream';
import type { Budget } from './budget';

/** A frame whose size is negative or beyond the limit. The connection must be closed. */
export class FrameSizeError extends Error {
  override readonly name = 'FrameSizeError';
}

const SIZE_BYTES = 4;

/**
 * The requests of a connection, each without its size. The bytes of a request are acquired from the
 * budget before it is read, and released when the next one is read.
 */
export async function* readFrames(
  input: Readable,
  budget: Budget,
  maxFrameBytes: number,
): AsyncGenerator<Buffer, void, void> {
  const size = Buffer.alloc(SIZE_BYTES);
  let target = size;
  let filled = 0;
  let reserved = 0;
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length;) {
        const copied = chunk.copy(target, filled, at);
        at += copied;
        filled += copied;
        if (filled < target.length) continue;
        filled = 0;
        if (target !== size) {
          yield target;
          budget.release(reserved);
          reserved = 0;
          target = size;
          continue;
        }
        const length = size.readInt32BE(0);
        if (length <= 0 || length > maxFrameBytes) {
          throw new FrameSizeError(`a request of ${length} bytes, the limit is ${maxFrameBytes}`);
        }
        await budget.acquire(length);
        reserved = length;
        target = Buffer.allocUnsafe(length);
      }
    }
  } finally {
    budget.release(reserved);
  }
}
