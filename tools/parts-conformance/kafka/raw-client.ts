import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Reader, Writer, isFlexible, type Api } from '@plimsoll/local-broker';

const TIMEOUT_MS = 40_000;

/** Sends single requests of the Kafka protocol that kafkajs does not expose. */
export class RawClient {
  #received: Buffer = Buffer.alloc(0);
  #correlationId = 0;
  #closed = false;
  readonly #waiting: { resolve: (frame: Buffer) => void; reject: (error: Error) => void }[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('the connection was closed'));
    });
  }

  static async connect(address: string): Promise<RawClient> {
    const [host, port] = address.split(':');
    const socket = connect({ host: host ?? '', port: Number(port) });
    await once(socket, 'connect');
    socket.setNoDelay(true);
    return new RawClient(socket);
  }

  /** The response. Rejects when the broker closes the connection, or does not respond in time. */
  async request<Request, Response>(
    api: Api<Request, Response>,
    version: number,
    request: Request,
  ): Promise<Response> {
    this.send(api, version, request);
    return this.response(api, version);
  }

  /** Sends a request without waiting for its response. */
  send<Request, Response>(api: Api<Request, Response>, version: number, request: Request): void {
    const flexible = isFlexible(api, version);
    const body = new Writer(version, flexible);
    api.request.write(body, request);
    this.sendBody(
      api.key,
      version,
      Buffer.concat([flexible ? Buffer.from([0]) : Buffer.alloc(0), body.toBuffer()]),
    );
  }

  sendBody(apiKey: number, version: number, body: Buffer): void {
    const header = new Writer();
    header.int16(apiKey);
    header.int16(version);
    header.int32((this.#correlationId += 1));
    header.nullableString('conformance');
    const size = new Writer();
    size.int32(header.length + body.length);
    this.sendBytes(Buffer.concat([size.toBuffer(), header.toBuffer(), body]));
  }

  sendBytes(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  async response<Request, Response>(api: Api<Request, Response>, version: number): Promise<Response> {
    const { body } = await this.frame();
    return api.response.read(new Reader(body, version, isFlexible(api, version)));
  }

  /** The next response of any kind. */
  async frame(): Promise<{ correlationId: number; body: Buffer }> {
    if (this.#closed) throw new Error('the connection was closed');
    let timeout: NodeJS.Timeout | undefined;
    const frame = await new Promise<Buffer>((resolve, reject) => {
      timeout = setTimeout(() => reject(new Error('no response')), TIMEOUT_MS);
      this.#waiting.push({ resolve, reject });
      this.#take(Buffer.alloc(0));
    }).finally(() => clearTimeout(timeout));
    return { correlationId: frame.readInt32BE(0), body: frame.subarray(4) };
  }

  /** True when the broker closes the connection within a few seconds without a response. */
  async isClosedByBroker(): Promise<boolean> {
    if (this.#closed) return true;
    return Promise.race([
      once(this.socket, 'close').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5_000).unref()),
    ]);
  }

  close(): void {
    this.socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#waiting.length > 0 && this.#received.length >= 4) {
      const end = 4 + this.#received.readInt32BE(0);
      if (this.#received.length < end) return;
      this.#waiting.shift()?.resolve(this.#received.subarray(4, end));
      this.#received = this.#received.subarray(end);
    }
  }
}
