import { WebSocket } from 'ws';
import { parseHead, type Head, type RpcHeader } from './head';

/** Settings of one newHeads subscription that reconnects. */
export interface HeadPushOptions {
  wsUrl: string;
  /** The socket counts as closed after this time without a message. */
  staleMs: number;
  reconnectDelayMs: number;
  maxReconnectDelayMs: number;
  random: () => number;
  onHead: (head: Head) => void;
  /** True once subscribed, false when the socket closed. */
  onConnected: (connected: boolean) => void;
}

interface PushMessage {
  id?: number;
  error?: unknown;
  params?: { result?: RpcHeader };
}

const HANDSHAKE_TIMEOUT_MS = 5_000;

/** A newHeads subscription over WebSocket that reconnects automatically, with growing and jittered delays. */
export class HeadPush {
  private socket: WebSocket | undefined;
  private staleTimer: NodeJS.Timeout | undefined;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private failures = 0;
  private closed = false;

  constructor(private readonly options: HeadPushOptions) {
    this.connect();
  }

  /** Ends the subscription permanently. */
  close(): void {
    this.closed = true;
    clearTimeout(this.staleTimer);
    clearTimeout(this.reconnectTimer);
    this.socket?.terminate();
  }

  private connect(): void {
    const socket = new WebSocket(this.options.wsUrl, { handshakeTimeout: HANDSHAKE_TIMEOUT_MS });
    this.socket = socket;
    socket.on('open', () =>
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
    );
    socket.on('message', (data) => this.receive(String(data)));
    // An error is always followed by close, whose handler replaces the socket.
    socket.on('error', () => undefined);
    socket.on('close', () => this.lost());
    this.watch();
  }

  private receive(text: string): void {
    this.watch();
    const message = parseMessage(text);
    if (!message || message.error) return this.socket?.terminate();
    if (message.id === 1) {
      this.failures = 0;
      this.options.onConnected(true);
    } else if (message.params?.result) this.options.onHead(parseHead(message.params.result));
  }

  private watch(): void {
    clearTimeout(this.staleTimer);
    this.staleTimer = setTimeout(() => this.socket?.terminate(), this.options.staleMs);
  }

  private lost(): void {
    clearTimeout(this.staleTimer);
    if (this.closed) return;
    this.options.onConnected(false);
    const { reconnectDelayMs, maxReconnectDelayMs, random } = this.options;
    const wait = Math.min(maxReconnectDelayMs, reconnectDelayMs * 2 ** this.failures) * (1 + random());
    this.failures += 1;
    this.reconnectTimer = setTimeout(() => this.connect(), wait);
  }
}

function parseMessage(text: string): PushMessage | null {
  try {
    return JSON.parse(text) as PushMessage;
  } catch {
    return null;
  }
}
