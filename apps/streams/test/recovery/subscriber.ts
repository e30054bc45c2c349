import type { StreamPosition, StreamServerFrame } from '@plimsoll/contracts';
import { identityHeaders, waitFor } from '@plimsoll/testing';
import { WebSocket } from 'ws';
import type { Interest } from './world';

const SUBSCRIPTION = 'only';

/** A client that reconnects with its last cursor when its connection ends. */
export class Subscriber {
  /** Ids of events in the order of arrival, over all connections. */
  readonly received: string[] = [];
  /** For each return, whether all missed events arrived. */
  readonly recoveries: boolean[] = [];
  /** Close codes of connections that it did not end itself. */
  readonly closeCodes: number[] = [];
  /** The snapshot after a return without recovery. */
  snapshot: StreamPosition[] = [];
  isSnapshotComplete = false;
  /** Wallets of the positions in events. */
  readonly wallets = new Set<string>();
  cursor: string | undefined;
  private socket: WebSocket | undefined;
  private isSubscribed = false;
  private isLeaving = false;

  constructor(
    readonly interest: Interest,
    private readonly accountId: string,
    private readonly identityKeys: string,
  ) {}

  get isConnected(): boolean {
    return this.isSubscribed && this.socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Connects to an instance. Resolves when the subscription is active.
   * @param url ws://host:port
   */
  async connect(url: string): Promise<void> {
    const path = `/v1/streams/${this.interest.stream}`;
    const request = { service: 'streams', method: 'GET', path };
    const socket = new WebSocket(`${url}${path}`, {
      headers: identityHeaders(this.identityKeys, request, this.accountId),
      handshakeTimeout: 10_000,
    });
    this.socket = socket;
    this.isLeaving = false;
    this.isSubscribed = false;
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      if (!this.isLeaving) this.closeCodes.push(code);
    });
    socket.on('message', (data: Buffer) => this.take(JSON.parse(data.toString()) as StreamServerFrame));
    const { filter } = this.interest;
    socket.on('open', () => {
      const since = this.cursor === undefined ? {} : { since: this.cursor };
      socket.send(JSON.stringify({ type: 'subscribe', id: SUBSCRIPTION, filter, ...since }));
    });
    await waitFor(() => this.isConnected || socket.readyState > WebSocket.OPEN, {
      message: 'the subscription is active',
      timeoutMs: 30_000,
    });
  }

  /** Ends the connection without a close frame, as a lost network does. */
  disconnect(): void {
    this.isLeaving = true;
    this.socket?.terminate();
  }

  forgetSnapshot(): void {
    this.snapshot = [];
    this.isSnapshotComplete = false;
  }

  private take(frame: StreamServerFrame): void {
    if (frame.type === 'subscribed') this.isSubscribed = true;
    if (frame.type === 'event' || frame.type === 'heartbeat') this.cursor = frame.cursor;
    if (frame.type === 'event') {
      this.received.push(frame.eventId);
      if ('wallet' in frame.data && frame.data.wallet !== null) this.wallets.add(frame.data.wallet);
    }
    if (frame.type === 'resumed') this.recoveries.push(frame.recovered);
    if (frame.type === 'snapshot') {
      this.snapshot.push(...frame.data);
      this.isSnapshotComplete = frame.last;
    }
  }
}
