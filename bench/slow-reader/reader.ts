import type { StreamServerFrame } from '@plimsoll/contracts';
import { identityHeaders, waitFor } from '@plimsoll/testing';
import { WebSocket } from 'ws';

/** A sample's block is its sequence and this. */
const FIRST_BLOCK = 100;

/** A client of the positions stream that can stop reading. */
export class Reader {
  /** The last received sequence of each position. */
  readonly latest = new Map<string, number>();
  closeCode: number | null = null;
  /** One entry for each return with a cursor. */
  readonly recoveries: boolean[] = [];
  private cursor: string | undefined;
  private socket: WebSocket | undefined;

  constructor(
    private readonly port: number,
    private readonly identityKeys: string,
    private readonly accountId: string,
  ) {}

  /** Connects, with the cursor of the previous connection if there was one. */
  async connect(): Promise<void> {
    const request = { service: 'streams', method: 'GET', path: '/v1/streams/positions' };
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}${request.path}`, {
      headers: identityHeaders(this.identityKeys, request, this.accountId),
      handshakeTimeout: 30_000,
    });
    this.socket = socket;
    this.closeCode = null;
    let isSubscribed = false;
    socket.on('error', () => undefined);
    socket.on('close', (code) => (this.closeCode = code));
    socket.on('open', () => {
      const since = this.cursor === undefined ? {} : { since: this.cursor };
      socket.send(JSON.stringify({ type: 'subscribe', id: 'all', ...since }));
    });
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as StreamServerFrame;
      isSubscribed ||= frame.type === 'subscribed';
      this.take(frame);
    });
    await waitFor(() => isSubscribed, { message: 'the reader is subscribed', timeoutMs: 60_000 });
  }

  /** The socket stays open, and nothing is read from it. */
  stopReading(): void {
    this.socket?.pause();
  }

  /** Reads the kernel's remaining bytes, and the end of the connection. */
  readOn(): void {
    this.socket?.resume();
  }

  end(): void {
    this.socket?.terminate();
  }

  private take(frame: StreamServerFrame): void {
    if (frame.type === 'event' || frame.type === 'heartbeat') this.cursor = frame.cursor;
    if (frame.type === 'resumed') this.recoveries.push(frame.recovered);
    if (frame.type === 'event' && 'asOfBlock' in frame.data) {
      this.latest.set(frame.data.id, frame.data.asOfBlock - FIRST_BLOCK);
    }
  }
}
