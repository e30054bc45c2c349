const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const SOCKET_KEY = `Sec-WebSocket-Key: ${'A'.repeat(22)}==`;

/**
 * Requests that two servers could read differently, or that are not HTTP, by what is wrong with them.
 * @param key header with a valid key
 */
export function malformedRequests(key: string): [string, string][] {
  const get = (target: string, ...lines: string[]): string =>
    head(`GET ${target} HTTP/1.1`, 'Host: x', key, ...lines);
  const post = (body: string, ...lines: string[]): string =>
    head('POST /v1/prices/batch HTTP/1.1', 'Host: x', key, ...lines) + body;
  const socket = (...lines: string[]): string =>
    get('/v1/streams/alerts', 'Connection: Upgrade', 'Upgrade: websocket', ...lines);
  const chunked = 'Transfer-Encoding: chunked';
  const chunks = '2\r\n{}\r\n0\r\n\r\n';
  return [
    ['a fragment', get('/v1/status#x')],
    ['a fragment in the query', get('/v1/status?a#x')],
    ['a fragment outside of /v1', get('/account/v1/session#x')],
    ['a tab in the target', get('/v1/status?a\tb')],
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown version', head('GET /v1/status HTTP/7.0', 'Host: x', key)],
    ['CONNECT', head('CONNECT example.com:443 HTTP/1.1', 'Host: example.com', key)],
    ['two hosts', get('/v1/status', 'Host: y')],
    ['no host', head('GET /v1/status HTTP/1.1', key)],
    ['a space before the colon', head('GET /v1/status HTTP/1.1', 'Host : x', key)],
    ['a line without a colon', get('/v1/status', 'what is this')],
    ['a folded header', get('/v1/status', 'X-A: b', ' c')],
    ['a control character in a header', get('/v1/status', 'X-A: \u0001')],
    ['a NUL in a header', get('/v1/status', 'X-A: b\0c')],
    ['a bare carriage return', get('/v1/status', 'X-A: b\rX-B: c')],
    ['headers of 20 KiB', get('/v1/status', `X-A: ${'a'.repeat(20_000)}`)],
    ['Transfer-Encoding gzip', post(chunks, 'Transfer-Encoding: gzip, chunked')],
    ['Transfer-Encoding identity', post('{}', 'Transfer-Encoding: identity')],
    ['Transfer-Encoding gzip only', post('{}', 'Transfer-Encoding: gzip')],
    ['Transfer-Encoding in disguise', post(chunks, 'Transfer-Encoding: xchunked')],
    ['chunked, and not last', post(chunks, 'Transfer-Encoding: chunked, identity')],
    ['two encodings', post(chunks, chunked, 'Transfer-Encoding: x')],
    [
      'an encoding outside of /v1',
      head('POST /account/v1/log-in HTTP/1.1', 'Host: x', 'Transfer-Encoding: gzip'),
    ],
    ['two lengths', post('{}', 'Content-Length: 2', 'Content-Length: 3')],
    ['a list of lengths', post('{}', 'Content-Length: 2, 3')],
    ['a negative length', post('{}', 'Content-Length: -2')],
    ['a length with a sign', post('{}', 'Content-Length: +2')],
    ['a length beside chunks', post(chunks, 'Content-Length: 2', chunked)],
    ['a chunk size that is no number', post('zz\r\n{}\r\n0\r\n\r\n', chunked)],
    ['a chunk longer than its size', post('1\r\n{}\r\n0\r\n\r\n', chunked)],
    ['a handshake without a key', socket('Sec-WebSocket-Version: 13')],
    ['a handshake without a version', socket(SOCKET_KEY)],
    ['a handshake of another version', socket('Sec-WebSocket-Version: 8', SOCKET_KEY)],
    ['a handshake with a short key', socket('Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: eA==')],
    ['a handshake with two keys', socket('Sec-WebSocket-Version: 13', SOCKET_KEY, SOCKET_KEY)],
    ['a handshake with a body', socket('Sec-WebSocket-Version: 13', SOCKET_KEY, 'Content-Length: 2')],
  ];
}
