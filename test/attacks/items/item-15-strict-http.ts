import { generateApiKey } from '@plimsoll/access';
import { randomBytes } from 'node:crypto';
import { type Attack, type Check, check, equal } from '../attack';
import { anyAddress, send, sendRaw } from '../client';

const statusOf = (response: string): string => /^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 'no response';
const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

const HANDSHAKE = ['GET /v1/streams/alerts HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];

/** Requests that two servers could read differently, or that are not HTTP. */
const malformed = (key: string): [string, string][] => [
  ['a fragment', head(`GET /v1/status#x HTTP/1.1`, 'Host: x', key)],
  ['a fragment in the query', head(`GET /v1/status?a#x HTTP/1.1`, 'Host: x', key)],
  [
    'Transfer-Encoding gzip',
    head('POST /v1/prices/batch HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: gzip, chunked'),
  ],
  [
    'Transfer-Encoding identity',
    head('POST /v1/prices/batch HTTP/1.1', 'Host: x', key, 'Transfer-Encoding: identity'),
  ],
  [
    'two lengths',
    head('POST /v1/prices/batch HTTP/1.1', 'Host: x', key, 'Content-Length: 2', 'Content-Length: 3') + '{}',
  ],
  [
    'a length beside chunks',
    `${head('POST /v1/prices/batch HTTP/1.1', 'Host: x', key, 'Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
  ],
  ['two hosts', head('GET /v1/status HTTP/1.1', 'Host: x', 'Host: y', key)],
  ['no host', head('GET /v1/status HTTP/1.1', key)],
  ['a space before the colon', head('GET /v1/status HTTP/1.1', 'Host : x', key)],
  ['a folded header', head('GET /v1/status HTTP/1.1', 'Host: x', 'X-A: b', ' c', key)],
  ['a control character in a header', head('GET /v1/status HTTP/1.1', 'Host: x', 'X-A: \u0001', key)],
  ['a handshake without a key', head(...HANDSHAKE, key, 'Sec-WebSocket-Version: 13')],
  [
    'a handshake of another version',
    head(...HANDSHAKE, key, 'Sec-WebSocket-Version: 8', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='),
  ],
  [
    'a handshake with a short key',
    head(...HANDSHAKE, key, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: eA=='),
  ],
];

export const strictHttp: Attack = {
  item: '15',
  title: 'the gateway refuses what is not strict HTTP',
  async run({ origin, account }) {
    const { key } = await account('enterprise');
    const checks: Check[] = [];
    for (const [name, bytes] of malformed(`x-api-key: ${key}`)) {
      // Malformed requests of one address are limited too.
      const status = statusOf(await sendRaw(origin, bytes));
      checks.push(check(`${name} is refused`, status === '400' || status === '429', status));
    }
    for (const [path, options] of [
      ['/v1/status', { key }],
      ['/v1/status', {}],
      ['/v1/nothing', { key }],
      ['/account/v1/session', {}],
      ['/openapi.json', {}],
      ['/health/live', {}],
      ['/nothing', {}],
    ] as const) {
      const { headers } = await send(origin, 'GET', path, options);
      const isStrict =
        headers['strict-transport-security'] !== undefined && headers['x-content-type-options'] === 'nosniff';
      checks.push(
        check(`${path} has HSTS and nosniff (${JSON.stringify(Object.keys(options))})`, isStrict, isStrict),
      );
    }
    const address = anyAddress();
    const statuses: number[] = [];
    for (let at = 0; at < 80; at += 1) {
      const guess = generateApiKey('live', randomBytes);
      statuses.push((await send(origin, 'GET', '/v1/status', { key: guess, address })).status);
    }
    checks.push(
      check('guesses of keys are limited', statuses.includes(429), `429 after ${statuses.indexOf(429)}`),
    );
    const own = await send(origin, 'GET', '/v1/status', { key, address });
    checks.push(equal('a valid key of the same address works', own.status, 200));
    return checks;
  },
};
