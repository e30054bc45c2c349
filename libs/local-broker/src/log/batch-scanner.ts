import { readSync } from 'node:fs';
import { BATCH_HEADER_BYTES, RecordBatch, hasPlausibleHeader } from '../protocol/record-batch';

const WINDOW_BYTES = 256 * 1_024;
/** The buffer of a scan of headers, which skips most of the bytes. */
const HEADER_WINDOW_BYTES = 16 * 1_024;
/** Larger than any batch that a broker accepts. A larger length means damaged data. */
const MAX_BATCH_BYTES = 256 * 1_024 * 1_024;

/** A batch and its position in its file. The view of the batch is valid until the next step. */
export interface ScannedBatch {
  batch: RecordBatch;
  position: number;
}

/**
 * The batches of a file from one position to another, until one is cut off or invalid. With `headersOnly`
 * their records may be missing from the view.
 */
export function* scanBatches(
  fd: number,
  from: number,
  to: number,
  headersOnly: boolean,
): Generator<ScannedBatch> {
  const windowLimit = headersOnly ? HEADER_WINDOW_BYTES : WINDOW_BYTES;
  let window = Buffer.allocUnsafe(Math.min(windowLimit, Math.max(to - from, 0)));
  let windowStart = from;
  let windowBytes = 0;
  const view = (position: number, length: number): Buffer | undefined => {
    if (position + length > to) return undefined;
    if (position < windowStart || position + length > windowStart + windowBytes) {
      if (length > window.length) window = Buffer.allocUnsafe(length);
      windowStart = position;
      windowBytes = readFully(fd, window.subarray(0, Math.min(window.length, to - position)), position);
      if (windowBytes < length) return undefined;
    }
    return window.subarray(position - windowStart, position - windowStart + length);
  };

  for (let position = from; position < to;) {
    const header = view(position, BATCH_HEADER_BYTES);
    if (!header || !hasPlausibleHeader(header)) return;
    const size = new RecordBatch(header).sizeInBytes;
    if (size > MAX_BATCH_BYTES || position + size > to) return;
    const bytes = headersOnly ? header : view(position, size);
    if (!bytes) return;
    yield { batch: new RecordBatch(bytes), position };
    position += size;
  }
}

/** Fills the buffer from this position. Fewer bytes only at the end of the file. */
export function readFully(fd: number, buffer: Buffer, position: number): number {
  let total = 0;
  while (total < buffer.length) {
    const read = readSync(fd, buffer, total, buffer.length - total, position + total);
    if (read === 0) break;
    total += read;
  }
  return total;
}
