/** A zigzag-encoded integer of a record, and the position after it. */
export interface Varint {
  value: number;
  end: number;
}

/** Reads a zigzag varint or varlong. Throws a RangeError when it is cut off or longer than 64 bits. */
export function readVarint(buffer: Buffer, start: number): Varint {
  let low = 0;
  let factor = 1;
  for (let at = start; at < start + 10; at += 1) {
    const byte = buffer[at];
    if (byte === undefined) break;
    low += (byte & 0x7f) * factor;
    if ((byte & 0x80) === 0) {
      const half = Math.floor(low / 2);
      return { value: low % 2 === 0 ? half : -half - 1, end: at + 1 };
    }
    factor *= 0x80;
  }
  throw new RangeError('a variable-length integer is cut off');
}

/** The zigzag encoding of a safe integer. */
export function encodeVarint(value: number): Buffer {
  let left = value >= 0 ? value * 2 : -value * 2 - 1;
  const bytes: number[] = [];
  while (left >= 0x80) {
    bytes.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  bytes.push(left);
  return Buffer.from(bytes);
}
