import {
  type Identity,
  RISK_THRESHOLDS,
  STREAM_CLOSE,
  type StreamClientFrame,
  type StreamFilter,
  type StreamName,
  type StreamServerFrame,
  newId,
} from '@plimsoll/contracts';
import { LIMITS } from '../limits';
import { type StreamOffset, decodeCursor, encodeCursor } from '../log/cursor';
import { type CompiledFilter, compileFilter } from '../log/stream-filter';
import { closes, conflated, openSubscriptions } from '../metrics';
import { Backlog } from './backlog';
import type { ParsedFrame } from './client-frame';
import { EncodedFrame } from './encoded-frame';
import type { EventFrame } from './event-frame';
import { type FilterAddresses, frameErrorOf, namesIn, withAddresses } from './filter-names';
import { InboundRate } from './inbound-rate';
import { Liveness } from './liveness';
import type { Transport } from './transport';

/** A filter of a client, and the part of the stream that it receives. */
export class Subscription {
  // First, because every event reads it for each subscription that is found.
  readonly connection: StreamConnection;
  readonly matchesRest: CompiledFilter['matchesRest'];
  readonly filter: CompiledFilter;
  /** First offsets that it receives. */
  from: StreamOffset = [];
  /** How far it has been served while its connection catches up. Null: live. */
  upTo: StreamOffset | null = null;
  /** The client waits for the frame that ends the replay. */
  isResuming = false;

  constructor(
    connection: StreamConnection,
    readonly id: string,
    filter: StreamFilter = {},
  ) {
    this.connection = connection;
    this.filter = compileFilter(filter);
    this.matchesRest = this.filter.matchesRest;
  }
}

/** The services that a connection needs. All connections of a stream share them. */
export interface ConnectionContext {
  readonly stream: StreamName;
  readonly heartbeatMs: number;
  /** Monotonic time in milliseconds. */
  now(): number;
  /** The current end of the stream. */
  cursor(): string;
  /** The addresses of the names in a filter. @throws Problem */
  addressesOf(filter: StreamFilter, accountId: string): Promise<FilterAddresses>;
  /** @param since null: from now on */
  onSubscribed(subscription: Subscription, since: StreamOffset | null): void;
  onUnsubscribed(subscription: Subscription): void;
}

/** One client: its subscriptions, its unsent frames and its heartbeats. */
export class StreamConnection {
  // First, because every event reads it.
  private readonly transport: Transport;
  private backlog: Backlog | null = null;
  readonly id = newId('con');
  readonly accountId: string;
  readonly keyId: string;
  /** Its number among the open connections, or −1. */
  slot = -1;
  /** How far it has caught up with Kafka. Null: it receives each event immediately. */
  streamOffset: StreamOffset | null = null;
  /** How often its offset moved back. */
  rewinds = 0;
  private readonly subscriptions = new Map<string, Subscription>();
  /** Subscriptions whose names are being resolved, by id. */
  private readonly resolving = new Map<string, object>();
  private readonly rate = new InboundRate(LIMITS.inboundFramesPerSecond);
  private readonly liveness: Liveness;
  private readonly context: ConnectionContext;

  constructor(
    transport: Transport,
    { accountId, keyId }: Pick<Identity, 'accountId' | 'keyId'>,
    context: ConnectionContext,
  ) {
    this.transport = transport;
    this.context = context;
    this.accountId = accountId;
    this.keyId = keyId;
    this.liveness = new Liveness(context.heartbeatMs, context.now());
    const { stream, heartbeatMs } = context;
    const levels = stream === 'positions' ? { riskThresholds: RISK_THRESHOLDS } : {};
    this.sendControl({ type: 'welcome', stream, connectionId: this.id, heartbeatMs, ...levels });
  }

  get stream(): StreamName {
    return this.context.stream;
  }

  get isOpen(): boolean {
    return this.transport.isOpen;
  }

  get unsentBytes(): number {
    return this.transport.unsentBytes + (this.backlog?.bytes ?? 0);
  }

  /** Returns its subscriptions in the order of their creation. */
  all(): IterableIterator<Subscription> {
    return this.subscriptions.values();
  }

  has(subscription: Subscription): boolean {
    return this.isOpen && this.subscriptions.get(subscription.id) === subscription;
  }

  /** True when it has no unsent data. */
  get isIdle(): boolean {
    return this.backlog === null && this.transport.isOpen && this.transport.unsentBytes === 0;
  }

  /**
   * Delivers an event that one of its subscriptions matches. A slow client receives the latest state of each
   * position.
   */
  deliver(frame: EventFrame): void {
    if (this.backlog) {
      if (this.backlog.put(frame)) conflated.inc();
    } else if (this.transport.unsentBytes > LIMITS.conflateAboveBytes && this.stream === 'positions') {
      this.backlog = new Backlog(frame.cursorBefore);
      this.backlog.put(frame);
    } else return this.send(frame);
    this.closeAboveLimit();
  }

  send(frame: EncodedFrame, onSent?: () => void): void {
    if (!this.isOpen) return onSent?.();
    if (!this.transport.send(frame, onSent)) this.closeAboveLimit();
  }

  sendControl(frame: StreamServerFrame): void {
    this.send(new EncodedFrame(frame.type, JSON.stringify(frame)));
  }

  /** Like sendControl, but resolves when the frame has left the process or never will. */
  sendControlInFull(frame: StreamServerFrame): Promise<void> {
    return new Promise((resolve) => this.send(new EncodedFrame(frame.type, JSON.stringify(frame)), resolve));
  }

  /** The transport accepts more: sends the backlog until it waits again. */
  drained(): void {
    if (!this.backlog) return;
    while (this.isOpen && this.transport.unsentBytes <= LIMITS.conflateAboveBytes) {
      const frame = this.backlog.take();
      if (!frame) break;
      this.transport.send(frame);
    }
    if (this.backlog.isEmpty) this.backlog = null;
  }

  pongReceived(): void {
    this.liveness.pongReceived();
  }

  /**
   * Called regularly. Sends due heartbeats, and closes a connection that is dead or stalled.
   * @param nowMs time of the context’s clock
   */
  tick(nowMs: number): void {
    if (!this.isOpen) return;
    const due = this.liveness.tick(nowMs, this.transport.unsentBytes);
    if (due === 'stalled') this.close('slow', 'reads nothing; reconnect');
    else if (due === 'no_pong') this.close('noPong', 'no pong; reconnect');
    else if (due === 'heartbeat') {
      const count = this.liveness.heartbeats;
      const json = JSON.stringify({
        type: 'heartbeat',
        count,
        cursor: this.cursor(),
      } satisfies StreamServerFrame);
      if (!this.transport.beat(new EncodedFrame('heartbeat', json))) this.liveness.pongReceived();
      this.closeAboveLimit();
    }
  }

  drain(reconnectAfterMs: number): void {
    this.sendControl({ type: 'draining', reconnectAfterMs });
    this.close('draining', 'this instance stops; reconnect');
  }

  /** @param reason at most 123 bytes: what the client does next */
  close(code: keyof typeof STREAM_CLOSE, reason: string): void {
    if (!this.isOpen) return;
    closes.inc({ code: STREAM_CLOSE[code] });
    this.backlog = null;
    this.transport.close(STREAM_CLOSE[code], reason);
  }

  terminate(): void {
    this.transport.terminate();
  }

  /** Records a frame or a ping. Returns false when there were too many and the connection is closed. */
  admit(): boolean {
    if (!this.isOpen) return false;
    if (this.rate.admits(this.context.now())) return true;
    this.close('badRequest', `more than ${LIMITS.inboundFramesPerSecond} frames in a second; send fewer`);
    return false;
  }

  receive(parsed: ParsedFrame): void {
    if (parsed.kind === 'malformed') this.close('badRequest', 'not JSON; send one JSON object a frame');
    else if (parsed.kind === 'invalid') this.refuse('invalid_request', parsed.message, parsed.id);
    else this.handle(parsed.frame);
  }

  private handle(frame: StreamClientFrame): void {
    if (frame.type === 'ping') this.sendControl({ type: 'pong' });
    else if (frame.type === 'unsubscribe') this.unsubscribe(frame.id);
    else this.subscribe(frame);
  }

  private unsubscribe(id: string): void {
    if (this.resolving.delete(id)) return this.sendControl({ type: 'unsubscribed', id });
    const subscription = this.subscriptions.get(id);
    if (!subscription) return this.refuse('not_found', `There is no subscription ${id}.`, id);
    this.subscriptions.delete(id);
    this.context.onUnsubscribed(subscription);
    openSubscriptions.dec({ stream: this.stream });
    this.sendControl({ type: 'unsubscribed', id });
  }

  private subscribe({ id, filter, since }: Extract<StreamClientFrame, { type: 'subscribe' }>): void {
    const streamOffset = since === undefined ? null : decodeCursor(this.stream, since);
    if (since !== undefined && streamOffset === null) {
      const message = '/since: this is no cursor of this stream. Leave it out to begin anew.';
      return this.refuse('invalid_request', message, id);
    }
    if (this.subscriptions.has(id) || this.resolving.has(id)) {
      const message = `Subscription ${id} exists already. Unsubscribe it or use another id.`;
      return this.refuse('conflict', message, id);
    }
    if (this.subscriptions.size + this.resolving.size >= LIMITS.subscriptionsPerConnection) {
      const message = `A connection holds ${LIMITS.subscriptionsPerConnection} subscriptions. Open another connection.`;
      return this.refuse('quota_reached', message, id);
    }
    if (filter && namesIn(filter).length > 0) void this.resolve(id, filter, streamOffset);
    else this.begin(id, filter, streamOffset);
  }

  /** Begins the subscription with the addresses of its names, unless the client has ended it. */
  private async resolve(id: string, filter: StreamFilter, since: StreamOffset | null): Promise<void> {
    const started = {};
    this.resolving.set(id, started);
    const isWanted = (): boolean => this.isOpen && this.resolving.get(id) === started;
    try {
      const addresses = await this.context.addressesOf(filter, this.accountId);
      if (isWanted()) this.begin(id, withAddresses(filter, addresses), since, addresses);
    } catch (error) {
      const { code, message } = frameErrorOf(error);
      if (isWanted()) this.refuse(code, message, id);
    } finally {
      if (this.resolving.get(id) === started) this.resolving.delete(id);
    }
  }

  private begin(
    id: string,
    filter: StreamFilter | undefined,
    since: StreamOffset | null,
    addresses?: FilterAddresses,
  ): void {
    const subscription = new Subscription(this, id, filter);
    this.subscriptions.set(id, subscription);
    openSubscriptions.inc({ stream: this.stream });
    const names = addresses && [...addresses].map(([name, address]) => ({ name, address }));
    this.sendControl({ type: 'subscribed', id, ...(names && { names }) });
    this.context.onSubscribed(subscription, since);
  }

  /** @param id of the rejected frame */
  private refuse(code: string, message: string, id?: string): void {
    this.sendControl({ type: 'error', ...(id !== undefined && { id }), code, message });
  }

  /** The cursor of a client that received everything sent so far. */
  private cursor(): string {
    if (this.streamOffset) return encodeCursor(this.stream, this.streamOffset);
    return this.backlog?.cursor ?? this.context.cursor();
  }

  private closeAboveLimit(): void {
    if (this.unsentBytes > LIMITS.unsentBytes) this.close('slow', 'reads too slowly; reconnect');
  }
}
