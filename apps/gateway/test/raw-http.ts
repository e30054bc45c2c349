import { randomInt } from 'node:crypto';
import { connect } from 'node:net';

const RESPONSE_DEADLINE_MS = 5_000;

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
  const localAddress = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', localAddress });
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
