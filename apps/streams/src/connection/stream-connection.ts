import {
  STREAM_CLOSE,
  type StreamClientFrame,
  type StreamName,
  type StreamServerFrame,
  newId,
} from '@plimsoll/contracts';
import type { WebSocket } from 'ws';
import { LIMITS } from '../limits';
import { closes, openSubscriptions } from '../metrics';
import { type FilterSubject, compileFilter } from '../subscription/stream-filter';
import { parseClientFrame } from './client-frame';
import { InboundRate } from './inbound-rate';
import { Liveness } from './liveness';

const TEXT = { binary: false };

/** A filter that a client subscribed with. */
export interface Subscription {
  id: string;
  fits(subject: FilterSubject): boolean;
}

/** What a connection needs from the service around it. */
export interface ConnectionContext {
  heartbeatMs: number;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Where the connection's stream stands in the log. */
  cursor(): string;
  /** Sends what is known already to a new subscription. */
  onSubscribed(connection: StreamConnection, subscription: Subscription): void;
}

/** One client: its subscriptions, what it sends, and how it is kept alive. */
export class StreamConnection {
  readonly id = newId('con');
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly rate = new InboundRate(LIMITS.inboundFramesPerSecond);
  private readonly liveness: Liveness;

  constructor(
    private readonly socket: WebSocket,
    readonly stream: StreamName,
    readonly accountId: string,
    private readonly context: ConnectionContext,
  ) {
    this.liveness = new Liveness(context.heartbeatMs, context.now());
    socket.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    socket.on('ping', () => this.admit());
    socket.on('pong', () => this.liveness.answered());
    socket.once('close', () => openSubscriptions.dec({ stream }, this.subscriptions.size));
    this.tell({ type: 'welcome', stream, connectionId: this.id, heartbeatMs: context.heartbeatMs });
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** True when one of its subscriptions wants the event; whether the account may see it is asked before. */
  wants(subject: FilterSubject): boolean {
    for (const subscription of this.subscriptions.values()) if (subscription.fits(subject)) return true;
    return false;
  }

  has(subscription: Subscription): boolean {
    return this.isOpen && this.subscriptions.get(subscription.id) === subscription;
  }

  /** @param frame text of a frame, encoded once for all who get it */
  send(frame: Buffer, onSent?: () => void): void {
    if (!this.isOpen) return onSent?.();
    this.socket.send(frame, TEXT, onSent);
    if (this.socket.bufferedAmount > LIMITS.unsentBytes) this.close('slow', 'reads too slowly; reconnect');
  }

  tell(frame: StreamServerFrame): void {
    this.send(Buffer.from(JSON.stringify(frame)));
  }

  /** Like tell, but resolves when the frame has left the process or never will. */
  tellInFull(frame: StreamServerFrame): Promise<void> {
    return new Promise((resolve) => this.send(Buffer.from(JSON.stringify(frame)), resolve));
  }

  /** Called now and then: sends what is due, and closes a connection that is dead or stuck. */
  tick(): void {
    if (!this.isOpen) return;
    const due = this.liveness.tick(this.context.now(), this.socket.bufferedAmount);
    if (due === 'stalled') this.close('slow', 'takes nothing; reconnect');
    else if (due === 'no_pong') this.close('noPong', 'no pong; reconnect');
    else if (due === 'heartbeat') {
      this.tell({ type: 'heartbeat', count: this.liveness.heartbeats, cursor: this.context.cursor() });
      this.socket.ping();
    }
  }

  drain(reconnectAfterMs: number): void {
    this.tell({ type: 'draining', reconnectAfterMs });
    this.close('draining', 'this instance stops; reconnect');
  }

  /** @param reason at most 123 bytes: what the client does next */
  close(code: keyof typeof STREAM_CLOSE, reason: string): void {
    if (!this.isOpen) return;
    closes.inc({ code: STREAM_CLOSE[code] });
    this.socket.close(STREAM_CLOSE[code], reason);
  }

  terminate(): void {
    this.socket.terminate();
  }

  private admit(): boolean {
    if (this.rate.admits(this.context.now())) return true;
    this.close('badRequest', `more than ${LIMITS.inboundFramesPerSecond} frames in a second; send fewer`);
    return false;
  }

  private receive(data: Buffer, isBinary: boolean): void {
    if (!this.isOpen || !this.admit()) return;
    if (isBinary) return this.close('badRequest', 'binary frame; send JSON as text');
    const parsed = parseClientFrame(data.toString(), this.stream);
    if (parsed.kind === 'malformed')
      return this.close('badRequest', 'not JSON; send one JSON object a frame');
    if (parsed.kind === 'invalid') return this.refuse('invalid_request', parsed.message);
    this.handle(parsed.frame);
  }

  private handle(frame: StreamClientFrame): void {
    if (frame.type === 'ping') return this.tell({ type: 'pong' });
    const { id } = frame;
    if (frame.type === 'unsubscribe') {
      if (!this.subscriptions.delete(id)) return this.refuse('not_found', `There is no subscription ${id}.`);
      openSubscriptions.dec({ stream: this.stream });
      return this.tell({ type: 'unsubscribed', id });
    }
    if (this.subscriptions.has(id)) {
      return this.refuse(
        'conflict',
        `Subscription ${id} is there already. Unsubscribe it or take another id.`,
      );
    }
    if (this.subscriptions.size >= LIMITS.subscriptionsPerConnection) {
      const most = LIMITS.subscriptionsPerConnection;
      return this.refuse(
        'quota_reached',
        `A connection holds ${most} subscriptions. Open another connection.`,
      );
    }
    const subscription = { id, fits: compileFilter(frame.filter) };
    this.subscriptions.set(id, subscription);
    openSubscriptions.inc({ stream: this.stream });
    this.tell({ type: 'subscribed', id });
    this.context.onSubscribed(this, subscription);
  }

  private refuse(code: string, message: string): void {
    this.tell({ type: 'error', code, message });
  }
}
