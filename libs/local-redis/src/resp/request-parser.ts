/** A request that Redis would reject with "ERR Protocol error: …". The connection must be closed after it. */
export class ProtocolError extends Error {}

/** The limits of one request. */
export interface RequestLimits {
  /** Bytes of one argument. */
  argumentBytes: number;
  /** Arguments of one request. */
  arguments: number;
  /** Bytes of a request that has not arrived completely. */
  pendingBytes: number;
}

export const DEFAULT_LIMITS: RequestLimits = {
  argumentBytes: 64 * 1_048_576,
  arguments: 1_048_576,
  pendingBytes: 128 * 1_048_576,
};

/** Splits the bytes of a connection into requests: arrays of bulk strings, or a line of words ("inline"). */
export class RequestParser {
  private pending: Buffer = Buffer.alloc(0);
  private error: ProtocolError | null = null;
  private parsed = 0;

  constructor(private readonly limits: RequestLimits = DEFAULT_LIMITS) {}

  /** Set when the bytes are not requests. Nothing is parsed afterwards. */
  get failure(): ProtocolError | null {
    return this.error;
  }

  /** Number of bytes of the complete requests. */
  get parsedBytes(): number {
    return this.parsed;
  }

  /** The requests that these bytes complete, in order. Each is its arguments as latin1 text. */
  push(bytes: Buffer): string[][] {
    const requests: string[][] = [];
    if (this.error) return requests;
    this.pending = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes]);
    let at = 0;
    try {
      for (;;) {
        const parsed = this.parseAt(at);
        if (parsed === null) break;
        this.parsed += parsed.end - at;
        at = parsed.end;
        if (parsed.request.length > 0) requests.push(parsed.request);
      }
      this.pending = this.pending.subarray(at);
      if (this.pending.length > this.limits.pendingBytes) {
        throw new ProtocolError('Protocol error: too big request');
      }
    } catch (error) {
      this.error = error as ProtocolError;
      this.pending = Buffer.alloc(0);
    }
    return requests;
  }

  private parseAt(start: number): { request: string[]; end: number } | null {
    if (start >= this.pending.length) return null;
    if (this.pending[start] !== ASTERISK) return this.inlineAt(start);
    const count = this.lengthAt(start, this.limits.arguments, 'invalid multibulk length');
    if (count === null) return null;
    const request: string[] = [];
    let at = count.end;
    for (let i = 0; i < count.value; i += 1) {
      if (at < this.pending.length && this.pending[at] !== DOLLAR) {
        const found = this.pending.toString('latin1', at, at + 1);
        throw new ProtocolError(`Protocol error: expected '$', got '${found}'`);
      }
      const length = this.lengthAt(at, this.limits.argumentBytes, 'invalid bulk length');
      if (length === null) return null;
      const end = length.end + length.value;
      if (this.pending.length < end + 2) return null;
      request.push(this.pending.toString('latin1', length.end, end));
      at = end + 2;
    }
    return { request, end: at };
  }

  private inlineAt(start: number): { request: string[]; end: number } | null {
    const line = this.lineAt(start);
    return line && { request: line.text.split(/\s+/).filter((word) => word !== ''), end: line.end };
  }

  /** The length after the character at `start`. Null when its line is not complete. */
  private lengthAt(start: number, most: number, message: string): { value: number; end: number } | null {
    // Nearly every length is a few digits and a line end. This fast path reads a long append-only file in
    // half the time.
    let value = 0;
    let at = start + 1;
    for (let digit = this.digitAt(at); digit !== null && at < start + FEW_DIGITS; digit = this.digitAt(at)) {
      value = value * 10 + digit;
      at += 1;
    }
    const isPlain = at > start + 1 && this.pending[at] === RETURN && this.pending[at + 1] === NEWLINE;
    if (isPlain && value <= most) return { value, end: at + 2 };
    const line = this.lineAt(start);
    return line && { value: parseLength(line.text, most, message), end: line.end };
  }

  private digitAt(at: number): number | null {
    const digit = (this.pending[at] ?? 0) - ZERO;
    return digit >= 0 && digit <= 9 ? digit : null;
  }

  private lineAt(start: number): { text: string; end: number } | null {
    const newline = this.pending.indexOf(NEWLINE, start);
    if (newline === -1) {
      if (this.pending.length - start > LONGEST_LINE) {
        throw new ProtocolError('Protocol error: too big inline request');
      }
      return null;
    }
    const end = newline > start && this.pending[newline - 1] === RETURN ? newline - 1 : newline;
    return { text: this.pending.toString('latin1', start, end), end: newline + 1 };
  }
}

const ASTERISK = 0x2a;
const DOLLAR = 0x24;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const ZERO = 0x30;
const FEW_DIGITS = 9;
/** Longest inline request and longest length line, as in Redis. */
const LONGEST_LINE = 65_536;

function parseLength(line: string, most: number, message: string): number {
  const digits = line.slice(1);
  const length = Number(digits);
  if (digits === '-1') return 0;
  if (!/^\d+$/.test(digits) || length > most) throw new ProtocolError(`Protocol error: ${message}`);
  return length;
}
