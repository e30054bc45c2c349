import { type Socket, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Load, LoadResult } from './load';

/** A separate process that loads servers over raw sockets, with as little additional work as Node permits. */
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** One keep-alive connection, one request at a time. */
class Connection {
  private received: Buffer = Buffer.alloc(0);
  private onResponse: (status: number) => void = () => undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly request: Buffer,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
  }

  static open(port: number, request: Buffer, onLost: (error: Error) => void): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket, request)));
      socket.on('error', reject);
      socket.on('error', onLost);
      socket.on('end', () => onLost(new Error('The server closed a connection.')));
    });
  }

  send(onAnswer: (status: number) => void): void {
    this.onResponse = onAnswer;
    this.socket.write(this.request);
  }

  close(): void {
    this.socket.removeAllListeners();
    this.socket.on('error', () => undefined);
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf(END_OF_HEAD);
    if (end === -1) return;
    const head = this.received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`A response without Content-Length: ${head}`);
    if (this.received.length < end + END_OF_HEAD.length + Number(length)) return;
    this.received = Buffer.alloc(0);
    this.onResponse(Number(head.slice(9, 12)));
  }
}

async function run({ ports, path, headers, connections, seconds, perSecond }: Load): Promise<LoadResult> {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: bench',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  const lost = (error: Error): void => {
    throw error;
  };
  const all = await Promise.all(
    Array.from({ length: connections }, (_, i) => Connection.open(ports[i % ports.length]!, request, lost)),
  );
  const statuses: Record<number, number> = {};
  const latenciesMs: number[] = [];
  const ask = (connection: Connection, onAnswer: () => void): void => {
    const sinceMs = performance.now();
    connection.send((status) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      latenciesMs.push(performance.now() - sinceMs);
      onAnswer();
    });
  };
  const startedAtMs = performance.now();
  const endAtMs = startedAtMs + seconds * 1_000;
  if (perSecond === undefined) {
    await Promise.all(
      all.map(
        (connection) =>
          new Promise<void>((resolve) => {
            const next = (): void => {
              if (performance.now() >= endAtMs) resolve();
              else ask(connection, next);
            };
            next();
          }),
      ),
    );
  } else await atRate(all, perSecond, startedAtMs, endAtMs, ask);
  const elapsedMs = performance.now() - startedAtMs;
  for (const connection of all) connection.close();
  return { answers: latenciesMs.length, elapsedMs, statuses, latenciesMs };
}

/**
 * Open loop: a request is sent when it is due, whether the earlier ones have responses or not. Waiting uses
 * no CPU, which the servers need.
 */
async function atRate(
  all: readonly Connection[],
  perSecond: number,
  startedAtMs: number,
  endAtMs: number,
  ask: (connection: Connection, onAnswer: () => void) => void,
): Promise<void> {
  const idle = [...all];
  let sent = 0;
  for (;;) {
    const dueMs = startedAtMs + (sent * 1_000) / perSecond;
    if (dueMs >= endAtMs) break;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    sent += 1;
    // After a stall of the machine more requests are due than there are connections. The extra ones are
    // omitted.
    const connection = idle.pop();
    if (connection) ask(connection, () => idle.push(connection));
  }
  while (idle.length < all.length) await delay(1);
}

process.on('message', (load: Load) => {
  void run(load).then((result) => process.send?.(result));
});
