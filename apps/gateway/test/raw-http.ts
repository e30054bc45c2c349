import { randomInt } from 'node:crypto';
import { type Socket, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const RESPONSE_DEADLINE_MS = 5_000;

/** Time for the gateway to decide on a request. */
const DECIDED_MS = 200;

/** A response as it was received. */
export interface RawResponse {
  /** All received bytes, also those after the first response of the connection. */
  text: string;
  status: number;
  /** The headers of the first response, names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends bytes to a gateway and reads until it closes, or until `until` is in the response. No client library
 * corrects them. Each connection comes from its own loopback address, so that the limit of an earlier one
 * does not apply.
 */
export async function sendRaw(origin: string, bytes: string, until?: string): Promise<RawResponse> {
  const socket = connectTo(origin);
  socket.setTimeout(RESPONSE_DEADLINE_MS, () =>
    socket.destroy(new Error('no response, and the connection is still open')),
  );
  socket.write(bytes, 'latin1');
  let text = '';
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1');
    if (until !== undefined && text.includes(until)) break;
  }
  const [head = '', body = ''] = text.split(/\r\n\r\n([^]*)/);
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field) => {
    const at = field.indexOf(':');
    return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()];
  });
  return {
    text,
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
  };
}

/** Sends bytes, and leaves with a reset while the gateway waits for the rest of the request. */
export async function sendAndLeave(origin: string, bytes: string): Promise<void> {
  const socket = connectTo(origin);
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  await delay(DECIDED_MS);
  socket.resetAndDestroy();
  await delay(DECIDED_MS);
}

function connectTo(origin: string): Socket {
  const localAddress = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return connect({ port: Number(new URL(origin).port), host: '127.0.0.1', localAddress });
}
