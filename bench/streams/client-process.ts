import { randomBytes } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import { clientFrame, FrameReader } from './frames';
import type { Received, Target } from './types';

/** Connections that are being opened at a time. */
const CONCURRENT = 50;
const HANDSHAKE_TIMEOUT_MS = 60_000;
/** One in this number of received messages is timed. */
const SAMPLE = 7;
const STAMP = Buffer.from('"timestamp":"');
const STAMP_LENGTH = 24;
const EVENT = Buffer.from('"event"');

/** The commands of the process. */
export type Command =
  { do: 'connect'; target: Target; connections: number } | { do: 'begin' } | { do: 'end' };
/** The replies of the process. */
export type Reply = { is: 'connected' } | { is: 'received'; received: Received };

let received: Received = { messages: 0, bytes: 0, latenciesMs: [] };
let isMeasuring = false;

process.on('message', (command: Command) => {
  if (command.do === 'connect') {
    void connectAll(command.target, command.connections).then(() => send({ is: 'connected' }));
  } else if (command.do === 'begin') {
    received = { messages: 0, bytes: 0, latenciesMs: [] };
    isMeasuring = true;
  } else {
    isMeasuring = false;
    send({ is: 'received', received });
  }
});

function send(response: Reply): void {
  process.send?.(response);
}

async function connectAll(target: Target, connections: number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < connections) {
      const headers = target.headers[next % target.headers.length] ?? {};
      next += 1;
      await open(target, headers);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}

/** Resolves when the greetings are sent and the first reply to the last of them has arrived. */
function open({ port, path, protocol, greetings }: Target, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const timer = setTimeout(() => reject(new Error('no handshake in time')), HANDSHAKE_TIMEOUT_MS);
    const reader = new FrameReader();
    let isUpgraded = false;
    let responses = 0;
    const answersDue = protocol === 'socket.io' ? 4 : protocol === 'centrifugo' ? 2 : greetings.length * 3;
    const settle = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const onText = (payload: Buffer): void => {
      if (responses < answersDue) {
        responses += 1;
        if (protocol === 'socket.io' && responses === 1) socket.write(clientFrame('40'));
        if (protocol === 'socket.io' && responses === 2) greet(socket, greetings);
        if (responses === answersDue) settle();
      }
      take(payload, socket, protocol);
    };
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      if (isUpgraded) return reader.read(chunk, onText, (ping) => socket.write(clientFrame(ping, 10)));
      const end = chunk.indexOf('\r\n\r\n');
      if (!chunk.toString('latin1').startsWith('HTTP/1.1 101') || end < 0) {
        reject(new Error(`refused: ${chunk.toString('latin1').slice(0, 300)}`));
        return;
      }
      isUpgraded = true;
      if (protocol !== 'socket.io') greet(socket, greetings);
      if (answersDue === 0) settle();
      reader.read(chunk.subarray(end + 4), onText, () => undefined);
    });
    const lines = [
      `GET ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}

function greet(socket: Socket, greetings: readonly string[]): void {
  for (const greeting of greetings) socket.write(clientFrame(greeting));
}

function take(payload: Buffer, socket: Socket, protocol: Target['protocol']): void {
  if (protocol === 'socket.io' && payload.length === 1 && payload[0] === 0x32) socket.write(clientFrame('3'));
  if (protocol === 'centrifugo' && payload.length === 2) socket.write(clientFrame('{}'));
  if (!isMeasuring || payload.indexOf(EVENT) < 0) return;
  received.messages += 1;
  received.bytes += payload.length;
  if (received.messages % SAMPLE !== 0) return;
  const at = payload.indexOf(STAMP);
  if (at < 0) return;
  const stamp = payload.toString('latin1', at + STAMP.length, at + STAMP.length + STAMP_LENGTH);
  received.latenciesMs.push(Date.now() - Date.parse(stamp));
}
