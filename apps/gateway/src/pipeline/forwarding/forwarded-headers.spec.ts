import fc from 'fast-check';
import {
  hasPlainBody,
  passedHeaders,
  passedLines,
  requestHeaders,
  serviceHeaders,
} from './forwarded-headers';

describe('requestHeaders', () => {
  it('keeps end-to-end headers', () => {
    const headers = [
      'Accept',
      '*/*',
      'Content-Type',
      'application/json',
      'Idempotency-Key',
      'a',
      'Content-Length',
      '2',
    ];
    expect(requestHeaders(headers)).toEqual(headers);
  });

  it.each([
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'Host',
  ])('removes %s', (name) => {
    expect(requestHeaders([name, 'x', 'Accept', '*/*'])).toEqual(['Accept', '*/*']);
  });

  it('removes headers that a Connection header names, except the length of the body', () => {
    const headers = [
      'Connection',
      'close, X-Internal',
      'x-internal',
      '1',
      'Connection',
      'content-length',
      'Content-Length',
      '2',
    ];
    expect(requestHeaders(headers)).toEqual(['Content-Length', '2']);
  });

  it.each(['User-Agent', 'user-agent', 'USER-agent', 'X-Of-Nobody'])('passes %s as written', (name) => {
    expect(requestHeaders([name, 'x'])).toEqual([name, 'x']);
  });

  it.each([
    'X-API-KEY',
    'x-plimsoll-identity',
    'X-Plimsoll-Identity',
    'X-PLIMSOLL-anything',
    'x-api-key',
    'Authorization',
    'Cookie',
  ])('never accepts %s', (name) => {
    expect(requestHeaders([name, 'x'])).toEqual([]);
  });
});

describe('hasPlainBody', () => {
  it.each([
    [[]],
    [['Transfer-Encoding', 'chunked']],
    [['transfer-encoding', 'Chunked', 'Content-Type', 'a/b']],
  ])('accepts %j', (headers) => expect(hasPlainBody(headers)).toBe(true));

  it.each([
    [['Transfer-Encoding', 'gzip, chunked']],
    [['Transfer-Encoding', 'chunked', 'transfer-encoding', 'chunked']],
    [['TRANSFER-ENCODING', 'identity']],
    [['Transfer-Encoding', '']],
  ])('rejects %j', (headers) => expect(hasPlainBody(headers)).toBe(false));
});

describe('serviceHeaders', () => {
  const headers = [
    ['ETag', '"1"'],
    ['Connection', 'keep-alive'],
    ['X-Request-Id', 'r'],
    ['X-Kept', ''],
    ['X-Kept', 'b'],
    ['x-ratelimit-limit', '9'],
    ['X-Service-Tier', 'pro'],
    ['Vary', 'a'],
  ];

  it('removes hop-by-hop headers and those that the gateway sets', () => {
    const read = serviceHeaders(headers.flat());
    expect(read.passed).toEqual([0, 3, 4, 7]);
    expect(passedHeaders(headers.flat(), read)).toEqual([0, 3, 4, 7].flatMap((at) => headers[at] ?? []));
  });

  it('writes the passed headers as lines of a head', () => {
    fc.assert(
      fc.property(fc.subarray(headers), (some) => {
        const lines = some.map(([name, value]) => `${name}: ${value}\r\n`);
        const passed = lines.filter((line) => /^(?:ETag|X-Kept|Vary)/.test(line));
        expect(passedLines(some.flat(), serviceHeaders(some.flat()))).toBe(passed.join(''));
      }),
    );
  });

  it('reports the facts about the response for names in any case', () => {
    const said = ['content-TYPE', 'text/plain', 'Content-Length', '2', 'Etag', '"1"', 'RETRY-AFTER', '1'];
    expect(serviceHeaders(said)).toEqual({
      passed: [0, 1, 2, 3],
      contentType: 'text/plain',
      contentLength: '2',
      isClosing: false,
      hasCacheControl: false,
      hasDate: false,
      hasETag: true,
      hasRetryAfter: true,
    });
    expect(serviceHeaders(['connection', 'x, Close']).isClosing).toBe(true);
    expect(serviceHeaders(['Cache-Control', 'no-store', 'date', 'today'])).toMatchObject({
      hasCacheControl: true,
      hasDate: true,
    });
  });
});
