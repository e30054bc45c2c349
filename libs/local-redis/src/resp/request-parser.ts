/** A request that Redis would refuse with "ERR Protocol error: …"; the connection cannot go on after it. */
export class ProtocolError extends Error {}

/** What one request may hold at most. */
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

  constructor(private readonly limits: RequestLimits = DEFAULT_LIMITS) {}

  /** Set when the bytes are no requests; nothing is parsed any more. */
  get failure(): ProtocolError | null {
    return this.error;
  }

  /** The requests that are complete with these bytes, in order; each is its arguments as latin1 text. */
  push(bytes: Buffer): string[][] {
    const requests: string[][] = [];
    if (this.error) return requests;
    this.pending = this.pending.length === 0 ? bytes : Buffer.concat([this.pending, bytes]);
    let at = 0;
    try {
      for (;;) {
        const parsed = this.parseAt(at);
        if (parsed === null) break;
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
    const head = this.lineAt(start);
    if (head === null) return null;
    if (this.pending[start] !== ASTERISK) {
      return { request: head.text.split(/\s+/).filter((word) => word !== ''), end: head.end };
    }
    const count = parseLength(head.text, this.limits.arguments, 'invalid multibulk length');
    const request: string[] = [];
    let at = head.end;
    for (let i = 0; i < count; i += 1) {
      const size = this.lineAt(at);
      if (size === null) return null;
      if (this.pending[at] !== DOLLAR) {
        throw new ProtocolError(`Protocol error: expected '$', got '${size.text.charAt(0)}'`);
      }
      const length = parseLength(size.text, this.limits.argumentBytes, 'invalid bulk length');
      const end = size.end + length;
      if (this.pending.length < end + 2) return null;
      request.push(this.pending.toString('latin1', size.end, end));
      at = end + 2;
    }
    return { request, end: at };
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
/** Longest inline request and longest length line, as in Redis. */
const LONGEST_LINE = 65_536;

function parseLength(line: string, most: number, message: string): number {
  const digits = line.slice(1);
  const length = Number(digits);
  if (digits === '-1') return 0;
  if (!/^\d+$/.test(digits) || length > most) throw new ProtocolError(`Protocol error: ${message}`);
  return length;
}
