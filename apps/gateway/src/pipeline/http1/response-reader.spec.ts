import fc from 'fast-check';
import { MalformedResponse } from './response-head';
import { ResponseReader } from './response-reader';

interface Read {
  status: number | undefined;
  body: string;
  isEnded: boolean;
  hasMore: boolean;
}

/** Returns what is read from bytes that arrive in these pieces. */
function readAll(pieces: readonly string[], method = 'GET', isClosed = false): Read {
  const read: Read = { status: undefined, body: '', isEnded: false, hasMore: false };
  const reader = new ResponseReader(method, {
    onHead: ({ status }) => (read.status = status),
    onBody: (piece) => (read.body += piece.toString('latin1')),
  });
  for (const piece of pieces) {
    // As on a connection: bytes after the end are not read.
    if (reader.isEnded) read.hasMore = true;
    else reader.read(Buffer.from(piece, 'latin1'));
    read.hasMore ||= reader.hasMore;
  }
  if (isClosed) reader.close();
  return { ...read, isEnded: reader.isEnded };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const BODY = 'a body\r\n\r\nwith what ends a head, and \xff';
const LENGTH = `${OK}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
const CHUNKED =
  `${OK}Transfer-Encoding: chunked\r\n\r\n` +
  `1\r\n${BODY[0]}\r\n00a;name="a;b"\r\n${BODY.slice(1, 11)}\r\n` +
  `${(BODY.length - 11).toString(16).toUpperCase()}\r\n${BODY.slice(11)}\r\n0\r\nX-Trailer: a\r\nY:\r\n\r\n`;
const HINTED = `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${LENGTH}`;
const CONTINUED = `HTTP/1.1 100 Continue\r\n\r\n${CHUNKED}`;

const GOOD: [name: string, text: string, method: string, body: string][] = [
  ['a length', LENGTH, 'GET', BODY],
  ['chunks', CHUNKED, 'GET', BODY],
  ['early hints', HINTED, 'GET', BODY],
  ['100 before chunks', CONTINUED, 'GET', BODY],
  ['no body', `${OK}Content-Length: 0\r\n\r\n`, 'GET', ''],
  ['a response to HEAD', `${OK}Content-Length: 99\r\n\r\n`, 'HEAD', ''],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 'GET', ''],
  ['304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n', 'GET', ''],
];

describe('ResponseReader', () => {
  it.each(GOOD)('reads %s split at every byte, and byte by byte', (_, text, method, body) => {
    const whole = readAll([text], method);
    expect(whole).toMatchObject({ body, isEnded: true, hasMore: false });
    for (let at = 1; at < text.length; at += 1) {
      expect(readAll([text.slice(0, at), text.slice(at)], method)).toEqual(whole);
    }
    expect(readAll([...text], method)).toEqual(whole);
  });

  it.each(GOOD)('reads %s split anywhere', (_, text, method) => {
    const whole = readAll([text], method);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length })), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
        expect(readAll(pieces.filter(Boolean), method)).toEqual(whole);
      }),
    );
  });

  it.each(GOOD)('has not ended while a byte of %s is missing', (_, text, method) => {
    for (let at = 0; at < text.length; at += 1)
      expect(readAll([text.slice(0, at)], method).isEnded).toBe(false);
  });

  it.each(GOOD)('ignores bytes after %s', (_, text, method, body) => {
    for (const more of ['x', '\r\n', `${OK}Content-Length: 1\r\n\r\nz`]) {
      expect(readAll([text + more], method)).toMatchObject({ body, isEnded: true, hasMore: true });
      expect(readAll([text, more], method)).toMatchObject({ body, isEnded: true, hasMore: true });
    }
  });

  it('reads to the end of the connection when nothing else ends the body', () => {
    const text = `${OK}Content-Type: a/b\r\n\r\n${BODY}`;
    expect(readAll([text]).isEnded).toBe(false);
    expect(readAll([...text], 'GET', true)).toMatchObject({ body: BODY, isEnded: true });
    expect(readAll([`${OK}\r\n`], 'GET', true)).toMatchObject({ body: '', isEnded: true });
  });

  it.each(GOOD.slice(0, 4))(
    'does not treat an incomplete %s as complete when the connection ends',
    (_, text) => {
      for (let at = 0; at < text.length; at += 1) {
        expect(() => readAll([text.slice(0, at)], 'GET', true)).toThrow(MalformedResponse);
      }
    },
  );

  it.each([
    ['a size that is none', 'g\r\nx\r\n0\r\n\r\n'],
    ['a sign', '+1\r\nx\r\n0\r\n\r\n'],
    ['a prefix', '0x1\r\nx\r\n0\r\n\r\n'],
    ['a blank before the size', ' 1\r\nx\r\n0\r\n\r\n'],
    ['no size', '\r\nx\r\n0\r\n\r\n'],
    ['a size beyond all measure', 'fffffffffffff\r\nx'],
    ['a chunk that is longer than its size', '1\r\nxy\r\n0\r\n\r\n'],
    ['a chunk shorter than it says', '3\r\nxy\r\n0\r\n\r\n'],
    ['a bare line feed behind a size', '1\nx\r\n0\r\n\r\n'],
    ['a bare line feed behind a chunk', '1\r\nx\n0\r\n\r\n'],
    ['a bare line feed at the end', '1\r\nx\r\n0\r\n\n'],
    ['a carriage return in a size', '1\r;a\r\nx\r\n0\r\n\r\n'],
    ['a control character in an extension', '1;a=\0\r\nx\r\n0\r\n\r\n'],
    ['an extension without end', `1;${'a'.repeat(5_000)}`],
    ['a trailer that is none', '1\r\nx\r\n0\r\nno field\r\n\r\n'],
    ['a folded trailer', '1\r\nx\r\n0\r\nA: b\r\n c\r\n\r\n'],
    ['trailers without end', `0\r\n${`A: ${'b'.repeat(4_000)}\r\n`.repeat(5)}\r\n`],
  ])('rejects %s', (_, chunks) => {
    const text = `${OK}Transfer-Encoding: chunked\r\n\r\n${chunks}`;
    expect(() => readAll([text])).toThrow(MalformedResponse);
    expect(() => readAll([...text])).toThrow(MalformedResponse);
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['a head without end', `${OK}A: ${'b'.repeat(20_000)}`],
    ['a head that is too large', `${OK}${`A: ${'b'.repeat(1_000)}\r\n`.repeat(20)}\r\n`],
    ['an empty line before the head', `\r\n${LENGTH}`],
    ['line feeds alone', LENGTH.replaceAll('\r\n', '\n') + 'x'.repeat(20_000)],
  ])('rejects %s', (_, text) => {
    expect(() => readAll([text])).toThrow(MalformedResponse);
    expect(() => readAll([...text])).toThrow(MalformedResponse);
  });
});
