import { MalformedResponse, parseResponseHead } from './response-head';

const head = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');
const parse = (...lines: string[]) => parseResponseHead(head('HTTP/1.1 200 OK', ...lines), 'GET');

describe('parseResponseHead', () => {
  it('reads the status and the fields as written, without the blanks around a value', () => {
    const lines = ['ETag: "a: b"', 'x-empty:', 'X-Blank: \t a b\t ', 'Content-Length:7'];
    expect(parse(...lines)).toEqual({
      status: 200,
      lines: head(...lines),
      ends: [14, 24, 42, 60],
      headers: ['ETag', '"a: b"', 'x-empty', '', 'X-Blank', 'a b', 'Content-Length', '7'],
      framing: 'length',
      length: 7,
      isKept: true,
      keptMs: undefined,
    });
  });

  it.each([
    ['HTTP/1.1 404 Not Found', 404],
    ['HTTP/1.1 599 ', 599],
    ['HTTP/1.1 503', 503],
    ['HTTP/1.0 200 OK', 200],
    ['HTTP/1.1 200 \xe9t\xe9', 200],
  ])('accepts %j', (line, status) => {
    expect(parseResponseHead(head(line), 'GET').status).toBe(status);
  });

  it.each([
    'HTTP/2.0 200 OK',
    'HTTP/1.2 200 OK',
    'http/1.1 200 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 099 OK',
    'HTTP/1.1 200OK',
    'ICY 200 OK',
    ' HTTP/1.1 200 OK',
    'HTTP/1.1 200 OK\rX: y',
    'HTTP/1.1 200 OK\nX: y',
    'HTTP/1.1 200 O\0K',
    '',
  ])('rejects the status line %j', (line) => {
    expect(() => parseResponseHead(head(line, 'Content-Length: 0'), 'GET')).toThrow(MalformedResponse);
  });

  it.each([
    'No-Colon',
    ': no name',
    'Blank : before the colon',
    'Bl ank: in the name',
    'N\xe4me: x',
    ' Folded: x',
    '\tFolded: x',
    'X: a\rb',
    'X: a\nY: b',
    'X: a\0b',
    'X: a\x7fb',
    'X: a\x1bb',
    '',
  ])('rejects the field %j', (line) => {
    expect(() => parse('A: b', line, 'C: d')).toThrow(MalformedResponse);
  });

  it.each([
    [['Content-Length: 5', 'Content-Length: 5']],
    [['Content-Length: 5', 'content-length: 6']],
    [['Content-Length: 5, 5']],
    [['Content-Length: +5']],
    [['Content-Length: -1']],
    [['Content-Length: 0x5']],
    [['Content-Length: 5 5']],
    [['Content-Length:']],
    [['Content-Length: 1234567890123456']],
    [['Transfer-Encoding: chunked', 'Content-Length: 5']],
    [['Content-Length: 5', 'Transfer-Encoding: chunked']],
    [['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    [['Transfer-Encoding: gzip, chunked']],
    [['Transfer-Encoding: chunked, identity']],
    [['Transfer-Encoding: identity']],
    [['Transfer-Encoding: xchunked']],
    [['Transfer-Encoding:']],
  ])('rejects %j, because two readers could see different ends of its body', (lines) => {
    expect(() => parse(...lines)).toThrow(MalformedResponse);
  });

  it('rejects a coded body under HTTP/1.0', () => {
    const text = head('HTTP/1.0 200 OK', 'Transfer-Encoding: chunked');
    expect(() => parseResponseHead(text, 'GET')).toThrow(MalformedResponse);
  });

  it.each([
    ['HTTP/1.1 200 OK', ['Content-Length: 5'], 'GET', 'length'],
    ['HTTP/1.1 200 OK', ['Content-Length: 0'], 'GET', 'none'],
    ['HTTP/1.1 200 OK', ['Transfer-Encoding: Chunked'], 'POST', 'chunked'],
    ['HTTP/1.1 200 OK', [], 'GET', 'close'],
    ['HTTP/1.1 200 OK', ['Content-Length: 5'], 'HEAD', 'none'],
    ['HTTP/1.1 200 OK', ['Transfer-Encoding: chunked'], 'HEAD', 'none'],
    ['HTTP/1.1 204 No Content', [], 'GET', 'none'],
    ['HTTP/1.1 304 Not Modified', ['Content-Length: 5'], 'GET', 'none'],
    ['HTTP/1.1 103 Early Hints', [], 'GET', 'none'],
  ])('%s with %j to %4$s', (line, lines, method, framing) => {
    expect(parseResponseHead(head(line, ...lines), method).framing).toBe(framing);
  });

  it.each([
    ['HTTP/1.1 200 OK', [], true],
    ['HTTP/1.1 200 OK', ['Connection: keep-alive'], true],
    ['HTTP/1.1 200 OK', ['Connection: Keep-Alive, X-Other'], true],
    ['HTTP/1.1 200 OK', ['Connection: close'], false],
    ['HTTP/1.1 200 OK', ['Connection: keep-alive', 'connection: x, Close'], false],
    ['HTTP/1.0 200 OK', ['Connection: keep-alive'], false],
  ])('keeps the connection after %s with %j: %s', (line, lines, isKept) => {
    expect(parseResponseHead(head(line, 'Content-Length: 1', ...lines), 'GET').isKept).toBe(isKept);
  });

  it('closes a connection whose end is the end of the body', () => {
    expect(parse('Connection: keep-alive').isKept).toBe(false);
  });

  it.each([
    ['timeout=5', 5_000],
    ['Timeout=72, max=10', 72_000],
    ['max=10, timeout=2', 2_000],
    ['max=10', undefined],
    ['xtimeout=5', undefined],
    ['timeout=5s', undefined],
  ])('reads Keep-Alive: %s as kept for %s ms', (hint, keptMs) => {
    expect(parse(`Keep-Alive: ${hint}`).keptMs).toBe(keptMs);
  });
});
