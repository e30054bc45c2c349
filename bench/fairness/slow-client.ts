import { type Socket, connect } from 'node:net';

const ANNOUNCED_BYTES = 1_000;
/** A trickling client sends a byte in this time. */
const TRICKLE_MS = 1_000;
const REOPEN_MS = 500;

/** How a client uploads too slowly. */
export interface SlowUpload {
  /** Origin and path. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Whether it sends a byte a second. Otherwise, it stops after the first one. */
  isTrickling: boolean;
  /** Receives the number of its responses by status. */
  statuses: Record<string, number>;
  /** Whether it uploads again after each response. The default is true. */
  isRepeating?: boolean;
}

/** Uploads too slowly until it is closed. */
export class SlowClient {
  private socket: Socket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly upload: SlowUpload) {
    this.open();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket?.destroy();
  }

  private open(): void {
    const { url, headers, isTrickling, isRepeating = true, statuses } = this.upload;
    const { hostname, port, host, pathname } = new URL(url);
    const all = { host, 'content-type': 'application/json', 'content-length': ANNOUNCED_BYTES, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    const socket = connect(Number(port), hostname);
    this.socket = socket;
    socket.write([`POST ${pathname} HTTP/1.1`, ...lines, '', '{'].join('\r\n'));
    if (isTrickling) this.timer = setInterval(() => socket.write(' '), TRICKLE_MS);
    socket.on('data', (bytes: Buffer) => {
      const status = bytes.toString('latin1').slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(this.timer);
      if (!this.isClosed && isRepeating) this.timer = setTimeout(() => this.open(), REOPEN_MS);
    });
  }
}
