import type { IncomingMessage } from 'node:http';
import type { StreamClientFrame, StreamServerFrame } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { type ClientOptions, WebSocket } from 'ws';

type FrameOf<T extends StreamServerFrame['type']> = Extract<StreamServerFrame, { type: T }>;

/** A client of a stream that keeps every received frame. */
export class StreamClient {
  readonly frames: StreamServerFrame[] = [];
  closed: { code: number; reason: string } | null = null;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as StreamServerFrame);
    });
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    // `closed` reports it.
    socket.on('error', () => undefined);
  }

  send(frame: StreamClientFrame | object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  of<T extends StreamServerFrame['type']>(type: T): FrameOf<T>[] {
    return this.frames.filter((frame): frame is FrameOf<T> => frame.type === type);
  }

  /** Waits for a number of frames of the type, and returns all of them. */
  async waitFor<T extends StreamServerFrame['type']>(type: T, count = 1): Promise<FrameOf<T>[]> {
    await waitFor(() => this.of(type).length >= count, { message: `${count} ${type}` });
    return this.of(type);
  }

  async closeCode(timeoutMs = 10_000): Promise<number> {
    const { code } = await waitFor(() => this.closed, { message: 'the connection is closed', timeoutMs });
    return code;
  }
}

/** Result of an upgrade: a stream, or the response instead. */
export type Opened = { client: StreamClient } | { status: number; contentType?: string; body: string };

export function open(url: string, options: ClientOptions): Promise<Opened> {
  const socket = new WebSocket(url, { handshakeTimeout: 10_000, ...options });
  const client = new StreamClient(socket);
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve({ client }));
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, contentType: response.headers['content-type'], body }),
      );
    });
    socket.once('error', reject);
  });
}
