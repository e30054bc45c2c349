import { type AnswerHead, MalformedAnswer, parseAnswerHead } from './answer-head';
import { ChunkedBody } from './chunked-body';

/** As much as Node allows a head. */
const MAX_HEAD = 16_384;
const END_OF_HEAD = '\r\n\r\n';

/** Told of an answer as it comes. */
export interface AnswerSink {
  /** The final head: not called for what comes before it (1xx). */
  onHead(head: AnswerHead): void;
  /** @param piece of the body, only there during the call */
  onBody(piece: Buffer): void;
}

/** Reads one answer of a connection, wherever it was cut on its way. */
export class AnswerReader {
  isEnded = false;
  /** True when bytes came after the end: nothing of them is an answer to anything. */
  hasMore = false;
  private head: AnswerHead | undefined;
  private started = '';
  private left = 0;
  private chunked: ChunkedBody | undefined;

  constructor(
    private readonly method: string,
    private readonly sink: AnswerSink,
  ) {}

  /** True from the final head on. */
  get hasHead(): boolean {
    return this.head !== undefined;
  }

  /** @throws MalformedAnswer */
  read(bytes: Buffer): void {
    let at = 0;
    while (!this.head && at < bytes.length) at = this.readHead(bytes, at);
    if (this.head && !this.isEnded && at < bytes.length) at = this.readBody(this.head, bytes, at);
    this.hasMore = at < bytes.length;
  }

  /** The connection ended. @throws MalformedAnswer when the answer did not */
  close(): void {
    if (this.head?.framing !== 'close') throw new MalformedAnswer('an answer that was broken off');
    this.isEnded = true;
  }

  private readHead(bytes: Buffer, from: number): number {
    const before = this.started.length;
    const text = this.started + bytes.toString('latin1', from, Math.min(bytes.length, from + MAX_HEAD));
    const end = text.indexOf(END_OF_HEAD);
    if (end === -1 || end > MAX_HEAD) {
      if (text.length >= MAX_HEAD) throw new MalformedAnswer('a head that is too large');
      this.started = text;
      return bytes.length;
    }
    this.started = '';
    const head = parseAnswerHead(text.slice(0, end + 2), this.method);
    if (head.status === 101) throw new MalformedAnswer('a change of protocol that nobody asked for');
    if (head.status >= 200) this.begin(head);
    return from + end + END_OF_HEAD.length - before;
  }

  private begin(head: AnswerHead): void {
    this.head = head;
    this.left = head.length;
    this.isEnded = head.framing === 'none';
    if (head.framing === 'chunked') this.chunked = new ChunkedBody();
    this.sink.onHead(head);
  }

  private readBody(head: AnswerHead, bytes: Buffer, from: number): number {
    if (this.chunked) {
      const at = this.chunked.read(bytes, from, (piece) => this.sink.onBody(piece));
      this.isEnded = this.chunked.isEnded;
      return at;
    }
    const end = head.framing === 'close' ? bytes.length : Math.min(bytes.length, from + this.left);
    this.left -= end - from;
    this.isEnded = head.framing === 'length' && this.left === 0;
    this.sink.onBody(bytes.subarray(from, end));
    return end;
  }
}
