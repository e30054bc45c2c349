import { rawField } from './raw-field';
import { TOKEN } from './token';

/** How the body of an answer ends (RFC 9112, 6.3). */
export type Framing = 'none' | 'length' | 'chunked' | 'close';

/** The head of an answer. */
export interface AnswerHead {
  status: number;
  /** Flat, names as they were spelt. */
  headers: string[];
  /** The same as it came: whole lines, none of which can end before its end. */
  lines: string;
  /** Where in `lines` each of them ends. */
  ends: number[];
  framing: Framing;
  /** Bytes of the body under 'length'; else 0. */
  length: number;
  /** True when the service keeps the connection for the next call. */
  isKept: boolean;
  /** How long it keeps it idle, as it says; undefined: it does not. */
  keptMs: number | undefined;
}

/** What a service sent is no HTTP/1.1 answer, or one that two readers may take for two. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
  readonly code = 'MALFORMED_ANSWER';
}

/** Control characters, a CR by itself, and a line that begins with a blank: none of them stands in a head. */
const NOT_IN_HEAD = /[^\t\n\r\x20-\x7e\x80-\xff]|\r(?!\n)|\n[ \t]/;
const NAME = new RegExp(`^${TOKEN}$`);
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/;
const LENGTH = /^\d{1,15}$/;
const TIMEOUT = /(?:^|[ ,])timeout=(\d{1,9})(?:$|[ ,;])/i;

/**
 * Reads a head. Stricter than RFC 9112 asks: what a lenient reader would have to guess at is refused.
 * @param text latin1, whole lines, without the empty one that ends it
 * @param method of the call it answers
 * @throws MalformedAnswer
 */
export function parseAnswerHead(text: string, method: string): AnswerHead {
  if (NOT_IN_HEAD.test(text)) throw new MalformedAnswer('a character that no head has');
  const firstEnd = lineEnd(text, 0);
  const status = statusOf(text, firstEnd);
  const lines = text.slice(firstEnd + 2);
  const headers: string[] = [];
  const ends: number[] = [];
  readFields(lines, headers, ends);
  const connection = rawField(headers, 'connection');
  const isOld = text.charCodeAt(7) === 0x30;
  if (isOld && status < 200) throw new MalformedAnswer('an interim answer of HTTP/1.0');
  const head: AnswerHead = {
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
  // What nearly every answer says, without its parts being taken out.
  if (text.startsWith('HTTP/1.1 200 ')) return 200;
  const match = STATUS_LINE.exec(text.slice(0, end));
  if (!match) throw new MalformedAnswer('no status line');
  return Number(match[2]);
}

/** Where the line that begins at `from` ends. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from) - 1;
  if (end < from || text.charCodeAt(end) !== 0x0d) throw new MalformedAnswer('a line without its end');
  return end;
}

function readFields(text: string, headers: string[], ends: number[]): void {
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    const colon = text.indexOf(':', at);
    const name = text.slice(at, colon === -1 ? at : colon);
    // A name has no line end, so that a colon of a later line is none of this one's.
    if (!NAME.test(name)) throw new MalformedAnswer('no name of a field');
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

function frame(head: AnswerHead, method: string, isOld: boolean): void {
  const coding = rawField(head.headers, 'transfer-encoding');
  const length = rawField(head.headers, 'content-length');
  if (coding !== undefined && (isOld || length !== undefined || coding.toLowerCase() !== 'chunked')) {
    throw new MalformedAnswer('a body whose end is not clear');
  }
  if (length !== undefined && !LENGTH.test(length)) throw new MalformedAnswer('no length of a body');
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
