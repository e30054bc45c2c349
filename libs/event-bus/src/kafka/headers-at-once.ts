import Decoder from 'kafkajs/src/protocol/decoder';
import readHeader from 'kafkajs/src/protocol/recordBatch/header/v0/decoder';

type Headers = Record<string, Buffer | null | (Buffer | null)[]>;

/**
 * Lets kafkajs read the headers of a record into one object. It makes an object and two buffers for each header and then,
 * for each, a copy of all headers so far: with the nine of an event a record takes 3.7 µs instead of 2.3. What comes out is
 * the same.
 *
 * The headers are all that kafkajs 2.2.4 reads by this method, and it folds what it gets with `reduce`.
 */
export function readHeadersAtOnce(): void {
  const { prototype } = Decoder;
  if (Object.hasOwn(prototype, AT_ONCE)) return;
  const readArray = prototype.readVarIntArray;
  prototype.readVarIntArray = function (this: Decoder, read: (decoder: Decoder) => unknown): unknown {
    if (read !== readHeader) return readArray.call(this, read);
    const headers = headersOf(this);
    return { reduce: () => headers };
  };
  Object.defineProperty(prototype, AT_ONCE, { value: true });
}

const AT_ONCE = Symbol('reads headers at once');

function headersOf(decoder: Decoder): Headers {
  const headers: Headers = {};
  for (let left = decoder.readVarInt(); left > 0; left -= 1) {
    const length = decoder.readVarInt();
    const end = decoder.offset + Math.max(0, length);
    const name = length < 0 ? 'null' : decoder.buffer.toString('utf8', decoder.offset, end);
    decoder.offset = end;
    add(headers, name, decoder.readVarIntBytes());
  }
  return headers;
}

/** A second header of a name makes a list of both. */
function add(headers: Headers, name: string, value: Buffer | null): void {
  const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (before === undefined) {
    // Set as others are, this one would be the object's prototype.
    if (name === '__proto__') Object.defineProperty(headers, name, { value, ...OWN });
    else headers[name] = value;
  } else if (Array.isArray(before)) before.push(value);
  else Object.defineProperty(headers, name, { value: [before, value], ...OWN });
}

const OWN = { enumerable: true, configurable: true, writable: true };
