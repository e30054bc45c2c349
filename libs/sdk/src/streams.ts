import { ConnectionError, PlimsollError } from './errors';
import { FrameQueue } from './frame-queue';
import { GIVE_UP_AFTER_MS, type ResumeOptions, type StreamFrame } from './frames';
import { OPERATIONS } from './generated/operations';
import type { components } from './generated/streams';
import { parseJson } from './json';
import type { Output } from './operation-types';
import { isPassing, waitBefore } from './retry';
import { type Transport, pause } from './transport';

type Schemas = components['schemas'];
interface DataOf {
  positions: Schemas['StreamPosition'];
  alerts: Schemas['StreamAlert'];
  whales: Schemas['StreamWhale'];
}
type StreamName = keyof DataOf;
/** Breaking out of the loop closes the connection. */
export type Stream<N extends StreamName> = AsyncGenerator<StreamFrame<DataOf[N]>, void, undefined>;

/** An event must match every field that is present. */
export interface StreamFilter {
  wallets?: string[];
  positionIds?: string[];
  protocols?: string[];
  chainIds?: number[];
  maxHealthFactor?: number;
  minSeverity?: number;
  minUsd?: number;
}

export interface StreamOptions extends ResumeOptions {
  filter?: StreamFilter;
  /** Frames that wait for the consumer before the SDK stops reading. Default: 1,000. */
  maxQueued?: number;
  /** For runtimes without a global WebSocket. */
  WebSocket?: typeof WebSocket;
}

/** The server closed the stream permanently. `closeCode` is in the documentation of streams. */
export class StreamClosedError extends PlimsollError {
  override readonly name = 'StreamClosedError';

  constructor(
    readonly closeCode: number,
    reason: string,
  ) {
    super('stream_closed', `The stream was closed with ${closeCode}${reason && `: ${reason}`}.`);
  }
}

const MAX_QUEUED = 1_000;
const SUBSCRIPTION = 'sdk';
/** The first frame must arrive within this time. */
const WELCOME_MS = 15_000;
/** A connection without any frame for this many heartbeats is dead. */
const SILENT_HEARTBEATS = 2.5;
/** The server closes permanently with codes from here on. */
const FINAL_CODES = 4_500;
/** The SDK's own code. No server sends it. */
const QUEUE_FULL = -1;

interface Received {
  type: string;
  cursor?: string;
  heartbeatMs?: number;
  reconnectAfterMs?: number;
  code?: string;
  message?: string;
}

/** The end of a connection. */
interface Ended {
  code: number;
  reason: string;
  /** The pause that the server states before the next connection. */
  waitMs: number | null;
  wasOpen: boolean;
}

/**
 * The streams of the account. Each connects again after every interruption and continues after the last event
 * that it received, so that no event is lost or repeated. A slow consumer stops the connection, which
 * continues when the consumer has caught up. Each throws StreamClosedError, ApiError for a refused key or
 * tier, and ConnectionError after giveUpAfterMs.
 */
export class Streams {
  constructor(private readonly transport: Transport) {}

  /** A snapshot of the positions of the watched wallets, then every change. */
  positions(options?: StreamOptions): Stream<'positions'> {
    return openStream(this.transport, 'positions', options);
  }

  /** Every change of an alert of the account. */
  alerts(options?: StreamOptions): Stream<'alerts'> {
    return openStream(this.transport, 'alerts', options);
  }

  /** The activity of the wallets of whales. */
  whales(options?: StreamOptions): Stream<'whales'> {
    return openStream(this.transport, 'whales', options);
  }
}

async function* openStream<N extends StreamName>(
  transport: Transport,
  name: N,
  options: StreamOptions = {},
): Stream<N> {
  const { signal, giveUpAfterMs = GIVE_UP_AFTER_MS, maxQueued = MAX_QUEUED } = options;
  let cursor = options.since;
  let failures = 0;
  // The response to a refused handshake is not visible, and that to a refused ticket is.
  let needsTicket = !TAKES_HEADERS;
  let downSince = performance.now();
  for (;;) {
    const connection = await connect(transport, name, options, {
      since: cursor,
      maxQueued,
      needsTicket,
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      return null;
    });
    let ended: Ended | undefined;
    if (connection) {
      try {
        for (;;) {
          const frame = connection.queue.shift();
          if (frame === undefined) {
            // Frames that arrived before the end of the connection come first.
            ended = connection.ended();
            if (ended) break;
            await connection.queue.next();
            signal?.throwIfAborted();
            continue;
          }
          if (frame.cursor !== undefined) cursor = frame.cursor;
          if (frame.type !== 'heartbeat') yield frame as unknown as StreamFrame<DataOf[N]>;
        }
      } finally {
        connection.close();
      }
    }
    if (ended && ended.code >= FINAL_CODES) throw new StreamClosedError(ended.code, ended.reason);
    needsTicket = !(TAKES_HEADERS && ended?.wasOpen);
    if (ended?.wasOpen) {
      failures = 0;
      downSince = performance.now();
      // Neither an event nor a heartbeat arrived, so the next connection cannot continue after one.
      if (cursor === undefined) yield { type: 'gap', reason: 'unknown_cursor' };
    }
    // The consumer has caught up with a queue that was full, so nothing failed.
    if (ended?.code === QUEUE_FULL) continue;
    failures += 1;
    const downMs = performance.now() - downSince;
    if (downMs > giveUpAfterMs)
      throw new ConnectionError(`The stream could not connect for ${Math.round(downMs / 1_000)} s.`);
    await pause(waitBefore(failures, ended?.waitMs ?? null, Math.random()) ?? 0, signal);
  }
}

/** A browser cannot set headers on a WebSocket. Node, Bun and the package ws take them beside the URL. */
const TAKES_HEADERS =
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

interface Connection {
  queue: FrameQueue<Received>;
  /** Undefined while it is open. */
  ended: () => Ended | undefined;
  close: () => void;
}

async function connect(
  transport: Transport,
  name: StreamName,
  { filter, signal, WebSocket: Socket = globalThis.WebSocket }: StreamOptions,
  { since, maxQueued, needsTicket }: { since: string | undefined; maxQueued: number; needsTicket: boolean },
): Promise<Connection> {
  if (Socket === undefined)
    throw new TypeError('This runtime has no WebSocket. Pass one as the option WebSocket.');
  const url = `${transport.baseUrl.replace(/^http/, 'ws')}/v1/streams/${name}`;
  const socket =
    (needsTicket ? null : openWithHeaders(Socket, url, transport)) ??
    new Socket(`${url}?ticket=${await newTicket(transport, signal)}`);
  const queue = new FrameQueue<Received>(maxQueued);
  let ended: Ended | undefined;
  let wasOpen = false;
  let waitMs: number | null = null;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let silentMs = WELCOME_MS;
  const end = (code: number, reason: string): void => {
    if (ended) return;
    clearTimeout(watchdog);
    signal?.removeEventListener('abort', aborted);
    ended = { code, reason, waitMs, wasOpen };
    socket.close();
    queue.notify();
  };
  const watch = (): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => end(1006, 'no frame arrived in time'), silentMs);
  };
  function aborted(): void {
    end(1000, 'aborted');
  }
  signal?.addEventListener('abort', aborted, { once: true });
  socket.addEventListener('close', ({ code, reason }) => end(code, reason));
  socket.addEventListener('error', () => end(1006, 'the connection failed'));
  socket.addEventListener('message', ({ data }) => {
    if (ended) return;
    const frame = parseJson(String(data)) as Received;
    watch();
    switch (frame.type) {
      case 'welcome':
        silentMs = (frame.heartbeatMs ?? WELCOME_MS) * SILENT_HEARTBEATS;
        watch();
        socket.send(JSON.stringify({ type: 'subscribe', id: SUBSCRIPTION, filter, since }));
        break;
      case 'subscribed':
      case 'resumed':
        wasOpen = true;
        break;
      case 'draining':
        waitMs = frame.reconnectAfterMs ?? null;
        break;
      case 'error':
        // The subscription is the only frame that is sent, so the filter or the cursor is wrong.
        end(FINAL_CODES + 1, `${frame.code}: ${frame.message}`);
        break;
      case 'event':
      case 'snapshot':
      case 'gap':
      case 'heartbeat':
        // The next connection continues after the last frame of the queue.
        if (queue.push(frame)) end(QUEUE_FULL, 'the queue of the consumer is full');
        break;
    }
  });
  watch();
  return {
    queue,
    ended: () => ended,
    close: () => end(1000, 'the consumer stopped'),
  };
}

/** Returns null in a runtime that poses as Node and takes no headers, such as workerd. */
function openWithHeaders(
  Socket: typeof WebSocket,
  url: string,
  { credentials }: Transport,
): WebSocket | null {
  try {
    return new Socket(url, { headers: credentials } as never);
  } catch {
    return null;
  }
}

async function newTicket(transport: Transport, signal: AbortSignal | undefined): Promise<string> {
  const [method, path] = OPERATIONS.createStreamTicket;
  const response = await transport.send({ method, path }, { maxRetries: 0, ...(signal && { signal }) });
  return (response as Output<'createStreamTicket'>).ticket;
}
