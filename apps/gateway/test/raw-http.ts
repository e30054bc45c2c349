import { randomInt } from 'node:crypto';
import { connect } from 'node:net';

const RESPONSE_DEADLINE_MS = 5_000;

/** An answer as it came over the wire. */
export interface RawResponse {
  /** All of it, also what came after the first answer of the connection. */
  text: string;
  status: number;
  /** Of the first answer, names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends bytes to a gateway and reads until it closes, or `until` is in the answer. No client library mends them. Each
 * connection comes from a loopback address of its own, so that none meets the limit of those before it.
 */
export async function sendRaw(origin: string, bytes: string, until?: string): Promise<RawResponse> {
  const localAddress = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', localAddress });
  socket.setTimeout(RESPONSE_DEADLINE_MS, () => socket.destroy(new Error('no answer, and no end of it')));
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
