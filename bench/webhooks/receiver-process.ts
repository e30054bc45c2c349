import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WEBHOOK_HEADERS } from '@plimsoll/contracts';
import { wallMs } from './clock';
import type { Arrival, ReceiverCommand, ReceiverReport } from './receiver';

/**
 * The receiver in its own process: `/hang/<ms>/…` responds after that time, `/never/…` not at all, all others
 * immediately.
 */
let arrivals: Arrival[] = [];
let awaited: { count: number; reply: () => void } | undefined;

function waitMs(path: string): number {
  const [, mode, ms] = path.split('/');
  if (mode === 'never') return Infinity;
  return mode === 'hang' ? Number(ms) : 0;
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const atMs = wallMs();
  request.resume();
  request.once('end', () => {
    const path = request.url ?? '';
    const eventId = String(request.headers[WEBHOOK_HEADERS.eventId]);
    const deliveryId = String(request.headers[WEBHOOK_HEADERS.delivery]);
    arrivals.push({ path, eventId, deliveryId, atMs });
    if (awaited && arrivals.length >= awaited.count) {
      awaited.reply();
      awaited = undefined;
    }
    const delayMs = waitMs(path);
    if (delayMs === 0) response.end('ok');
    else if (delayMs < Infinity) setTimeout(() => response.end('ok'), delayMs);
  });
}

const send = (report: ReceiverReport): void => void process.send?.(report);

process.on('message', (command: ReceiverCommand) => {
  if (command.kind === 'forget') {
    arrivals = [];
    send({ kind: 'done' });
  } else if (command.kind === 'arrivals') {
    send({ kind: 'arrivals', arrivals });
  } else {
    const reply = (): void => send({ kind: 'done' });
    if (arrivals.length >= command.count) reply();
    else awaited = { count: command.count, reply };
  }
});

const server = createServer({ keepAliveTimeout: 60_000 }, receive);
server.listen(0, '127.0.0.1', () =>
  send({ kind: 'listening', port: (server.address() as AddressInfo).port }),
);
