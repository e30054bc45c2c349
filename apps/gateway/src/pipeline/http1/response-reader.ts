import { type ResponseHead, MalformedResponse, parseResponseHead } from './response-head';
import { ChunkedBody } from './chunked-body';

/** The same limit as Node's for a head. */
const MAX_HEAD = 16_384;
const END_OF_HEAD = '\r\n\r\n';

/** Receives a response as it arrives. */
export interface ResponseSink {
  /** The final head. It is not called for informational responses (1xx). */
  onHead(head: ResponseHead): void;
  /** @param piece of the body, valid only during the call */
  onBody(piece: Buffer): void;
}

/** Reads one response of a connection, however it was split in transit. */
export class ResponseReader {
  isEnded = false;
  /** True when bytes arrived after the end. They belong to no request. */
  hasMore = false;
  private head: ResponseHead | undefined;
  private started = '';
  private left = 0;
  private chunked: ChunkedBody | undefined;

  constructor(
    private readonly method: string,
    private readonly sink: ResponseSink,
  ) {}

  /** True after the final head. */
  get hasHead(): boolean {
    return this.head !== undefined;
  }

  /** @throws MalformedResponse */
  read(bytes: Buffer): void {
    let at = 0;
    while (!this.head && at < bytes.length) at = this.readHead(bytes, at);
    if (this.head && !this.isEnded && at < bytes.length) at = this.readBody(this.head, bytes, at);
    this.hasMore = at < bytes.length;
  }

  /**
   * The connection ended.
   * @throws MalformedResponse when the response was incomplete
   */
  close(): void {
    if (this.head?.framing !== 'close') throw new MalformedResponse('a response that was cut off');
    this.isEnded = true;
  }

  private readHead(bytes: Buffer, from: number): number {
    const before = this.started.length;
    const text = this.started + bytes.toString('latin1', from, Math.min(bytes.length, from + MAX_HEAD));
    const end = text.indexOf(END_OF_HEAD);
    if (end === -1 || end > MAX_HEAD) {
      if (text.length >= MAX_HEAD) throw new MalformedResponse('a head that is too large');
      this.started = text;
      return bytes.length;
    }
    this.started = '';
    const head = parseResponseHead(text.slice(0, end + 2), this.method);
    if (head.status === 101) throw new MalformedResponse('a change of protocol that was not requested');
    if (head.status >= 200) this.begin(head);
    return from + end + END_OF_HEAD.length - before;
  }

  private begin(head: ResponseHead): void {
    this.head = head;
    this.left = head.length;
    this.isEnded = head.framing === 'none';
    if (head.framing === 'chunked') this.chunked = new ChunkedBody();
    this.sink.onHead(head);
  }

  private readBody(head: ResponseHead, bytes: Buffer, from: number): number {
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
