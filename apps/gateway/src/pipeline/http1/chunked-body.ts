import { MalformedResponse } from './response-head';
import { TOKEN } from './raw-field';

const QUOTED = '"[\\t !#-\\[\\]-~\\x80-\\xff]*"';
/**
 * Extensions have no known meaning. They are parsed so that no line is accepted that another reader rejects.
 */
const SIZE_LINE = new RegExp(`^([0-9A-Fa-f]{1,12})(?:;${TOKEN}(?:=(?:${TOKEN}|${QUOTED}))?)*$`);
const TRAILER_LINE = new RegExp(`^${TOKEN}:[\\t\\x20-\\x7e\\x80-\\xff]*$`);
const MAX_LINE = 4_096;
const MAX_TRAILERS = 16_384;
const CR = 0x0d;
const LF = 0x0a;

/** Decodes a chunked body (RFC 9112, 7.1), however it was split in transit. Trailers are read and dropped. */
export class ChunkedBody {
  isEnded = false;
  private state: 'size' | 'data' | 'dataEnd' | 'trailers' = 'size';
  private left = 0;
  private line = '';
  private trailerBytes = 0;

  /**
   * @param pass receives each piece of the body, valid only during the call
   * @returns where in `bytes` it stopped: at their end, or after the body
   * @throws MalformedResponse
   */
  read(bytes: Buffer, from: number, pass: (piece: Buffer) => void): number {
    let at = from;
    while (at < bytes.length && !this.isEnded) {
      if (this.state === 'data') {
        const end = Math.min(bytes.length, at + this.left);
        pass(bytes.subarray(at, end));
        this.left -= end - at;
        at = end;
        if (this.left === 0) this.state = 'dataEnd';
      } else at = this.readLine(bytes, at);
    }
    return at;
  }

  private readLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(LF, from);
    const to = end === -1 ? bytes.length : end;
    this.line += bytes.toString('latin1', from, to);
    if (this.line.length > MAX_LINE) throw new MalformedResponse('a line of a chunked body that is too long');
    if (end === -1) return to;
    if (this.line.charCodeAt(this.line.length - 1) !== CR)
      throw new MalformedResponse('a line without its end');
    const line = this.line.slice(0, -1);
    this.line = '';
    this.take(line);
    return end + 1;
  }

  private take(line: string): void {
    if (this.state === 'dataEnd') {
      if (line !== '') throw new MalformedResponse('a chunk that is longer than its size');
      this.state = 'size';
    } else if (this.state === 'size') {
      const size = SIZE_LINE.exec(line)?.[1];
      if (size === undefined) throw new MalformedResponse('a chunk without a size');
      this.left = Number.parseInt(size, 16);
      this.state = this.left === 0 ? 'trailers' : 'data';
    } else if (line === '') this.isEnded = true;
    else {
      this.trailerBytes += line.length;
      if (!TRAILER_LINE.test(line) || this.trailerBytes > MAX_TRAILERS)
        throw new MalformedResponse('no trailer');
    }
  }
}
