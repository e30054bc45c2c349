/** Texts of the WebSocket messages from a server. The servers here send no fragments. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);

  /** Calls `onText` for each text message, with its bytes, and `onPing` for each ping. */
  read(chunk: Buffer, onText: (payload: Buffer) => void, onPing: (payload: Buffer) => void): void {
    let data = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    for (;;) {
      const frame = frameOf(data);
      if (!frame) break;
      const payload = data.subarray(frame.start, frame.end);
      if (frame.opcode === 1) onText(payload);
      else if (frame.opcode === 9) onPing(payload);
      data = data.subarray(frame.end);
    }
    this.rest = data.length > 0 ? Buffer.from(data) : data;
  }
}

function frameOf(data: Buffer): { opcode: number; start: number; end: number } | null {
  if (data.length < 2) return null;
  const opcode = (data[0] as number) & 0x0f;
  const short = (data[1] as number) & 0x7f;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (data.length < start) return null;
  const length = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  return data.length < start + length ? null : { opcode, start, end: start + length };
}

/** A client's message, masked with zeros, which is valid and needs no work. @param opcode 1 text, 10 pong */
export function clientFrame(payload: string | Buffer, opcode = 1): Buffer {
  const bytes = Buffer.from(payload);
  const header =
    bytes.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | bytes.length])
      : Buffer.from([0x80 | opcode, 0xfe, bytes.length >> 8, bytes.length & 0xff]);
  return Buffer.concat([header, Buffer.alloc(4), bytes]);
}
