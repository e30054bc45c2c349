import { rawField, TOKEN } from './raw-field';

/** How the body of a response ends (RFC 9112, 6.3). */
export type Framing = 'none' | 'length' | 'chunked' | 'close';

/** The head of a response. */
export interface ResponseHead {
  status: number;
  /** Flat list with names as written. */
  headers: string[];
  /** The same as received: complete lines. */
  lines: string;
  /** Where each of them ends in `lines`. */
  ends: number[];
  framing: Framing;
  /** Bytes of the body when framing is 'length', otherwise 0. */
  length: number;
  /** True when the service keeps the connection for the next request. */
  isKept: boolean;
  /** How long the service keeps it idle, from its Keep-Alive header. Undefined without one. */
  keptMs: number | undefined;
}

/** A service sent something that is not an HTTP/1.1 response, or that two readers could read as two. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
  readonly code = 'MALFORMED_RESPONSE';
}

/** Control characters, a lone CR, and a line that begins with a blank never occur in a valid head. */
const NOT_IN_HEAD = /[^\t\n\r\x20-\x7e\x80-\xff]|\r(?!\n)|\n[ \t]/;
const NAME = new RegExp(`^${TOKEN}$`);
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/;
const LENGTH = /^\d{1,15}$/;
const TIMEOUT = /(?:^|[ ,])timeout=(\d{1,9})(?:$|[ ,;])/i;

/**
 * Parses a head. It is stricter than RFC 9112: it rejects what a lenient reader would have to guess.
 * @param text latin1, complete lines, without the empty one at the end
 * @param method method of the request
 * @throws MalformedResponse
 */
export function parseResponseHead(text: string, method: string): ResponseHead {
  if (NOT_IN_HEAD.test(text)) throw new MalformedResponse('an invalid character in a head');
  const firstEnd = lineEnd(text, 0);
  const status = statusOf(text, firstEnd);
  const lines = text.slice(firstEnd + 2);
  const headers: string[] = [];
  const ends: number[] = [];
  readFields(lines, headers, ends);
  const connection = rawField(headers, 'connection');
  const isOld = text.charCodeAt(7) === 0x30;
  if (isOld && status < 200) throw new MalformedResponse('an interim response of HTTP/1.0');
  const head: ResponseHead = {
    status,
    headers,
    lines,
    ends,
    framing: 'none',
    length: 0,
    isKept:
      !isOld && (connection === undefined || connection === 'keep-alive' || !names(connection, 'close')),
    keptMs: keptMsOf(rawField(headers, 'keep-alive')),
  };
  frame(head, method, isOld);
  return head;
}

function statusOf(text: string, end: number): number {
  // Nearly every response has this start, which needs no further parsing.
  if (text.startsWith('HTTP/1.1 200 ')) return 200;
  const match = STATUS_LINE.exec(text.slice(0, end));
  if (!match) throw new MalformedResponse('no status line');
  return Number(match[2]);
}

/** Returns where the line that begins at `from` ends. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from) - 1;
  if (end < from || text.charCodeAt(end) !== 0x0d) throw new MalformedResponse('a line without its end');
  return end;
}

function readFields(text: string, headers: string[], ends: number[]): void {
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    const colon = text.indexOf(':', at);
    const name = text.slice(at, colon === -1 ? at : colon);
    // A name contains no line end, so that the colon of a later line never belongs to this one.
    if (!NAME.test(name)) throw new MalformedResponse('a field without a name');
    headers.push(name, trimmed(text, colon + 1, end));
    at = end + 2;
    ends.push(at);
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

function trimmed(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function names(list: string, token: string): boolean {
  return list.split(',').some((each) => each.trim().toLowerCase() === token);
}

function keptMsOf(hint: string | undefined): number | undefined {
  const seconds = hint === undefined ? undefined : TIMEOUT.exec(hint)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

function frame(head: ResponseHead, method: string, isOld: boolean): void {
  const coding = rawField(head.headers, 'transfer-encoding');
  const length = rawField(head.headers, 'content-length');
  if (coding !== undefined && (isOld || length !== undefined || coding.toLowerCase() !== 'chunked')) {
    throw new MalformedResponse('a body whose end is ambiguous');
  }
  if (length !== undefined && !LENGTH.test(length))
    throw new MalformedResponse('an invalid length of a body');
  const { status } = head;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return;
  if (coding !== undefined) head.framing = 'chunked';
  else if (length === undefined) {
    head.framing = 'close';
    head.isKept = false;
  } else if (length !== '0') {
    head.framing = 'length';
    head.length = Number(length);
  }
}
