import { waitFor } from '@plimsoll/testing';
import { ServicePool } from '../src/pipeline/forwarding/service-pool';
import { ScriptedService } from './scripted-service';

const OK = 'HTTP/1.1 200 OK\r\n';
const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');
const chunked = (body: string): string => `${OK}Transfer-Encoding: chunked\r\n\r\n${body}`;
const sized = (body: string, ...more: string[]): string =>
  `${OK}${lines(...more, `Content-Length: ${body.length}`)}\r\n${body}`;

const STATUS_LINES = [
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
];

const FIELDS = [
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
];

/** Two readers could see different ends of these bodies. */
const ENDS = [
  ['Content-Length: 5', 'Content-Length: 5'],
  ['Content-Length: 5', 'content-length: 6'],
  ['Content-Length: 5, 5'],
  ['Content-Length: +5'],
  ['Content-Length: -1'],
  ['Content-Length: 0x5'],
  ['Content-Length: 5 5'],
  ['Content-Length:'],
  ['Content-Length: 1234567890123456'],
  ['Transfer-Encoding: chunked', 'Content-Length: 5'],
  ['Content-Length: 5', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked, identity'],
  ['Transfer-Encoding: identity'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding:'],
];

const CHUNKS = [
  ['a size that is none', 'g\r\nx\r\n0\r\n\r\n'],
  ['a sign', '+1\r\nx\r\n0\r\n\r\n'],
  ['a prefix', '0x1\r\nx\r\n0\r\n\r\n'],
  ['a blank before the size', ' 1\r\nx\r\n0\r\n\r\n'],
  ['no size', '\r\nx\r\n0\r\n\r\n'],
  ['a size that no body has', 'fffffffffffff\r\nx'],
  ['a chunk that is longer than its size', '1\r\nxy\r\n0\r\n\r\n'],
  ['a chunk that is shorter than its size', '3\r\nxy\r\n0\r\n\r\n'],
  ['a bare line feed after a size', '1\nx\r\n0\r\n\r\n'],
  ['a bare line feed after a chunk', '1\r\nx\n0\r\n\r\n'],
  ['a bare line feed at the end', '1\r\nx\r\n0\r\n\n'],
  ['a carriage return in a size', '1\r;a\r\nx\r\n0\r\n\r\n'],
  ['a control character in an extension', '1;a=\0\r\nx\r\n0\r\n\r\n'],
  ['an extension without an end', `1;${'a'.repeat(5_000)}`],
  ['an invalid trailer', '1\r\nx\r\n0\r\nno field\r\n\r\n'],
  ['a folded trailer', '1\r\nx\r\n0\r\nA: b\r\n c\r\n\r\n'],
  ['trailers without an end', `0\r\n${`A: ${'b'.repeat(4_000)}\r\n`.repeat(5)}\r\n`],
] as const;

const HEADS = [
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
  ['a head without an end', `${OK}A: ${'b'.repeat(20_000)}`],
  ['a head that is too large', `${OK}${`A: ${'b'.repeat(1_000)}\r\n`.repeat(20)}\r\n`],
  ['lines that end with a line feed only', 'HTTP/1.1 200 OK\nContent-Length: 1\n\nx'],
] as const;

describe('a response that is not valid HTTP', () => {
  let service: ScriptedService;
  let pool: ServicePool;

  beforeEach(async () => {
    service = await new ScriptedService().start();
    const options = { connections: 1, connectDeadlineMs: 5_000, bodySilenceMs: 200, tls: {} };
    pool = new ServicePool(service.origin, options);
  });
  afterEach(() => {
    pool.close();
    service.stop();
  });

  /** Resolves with the body, or rejects. */
  const send = (): Promise<string> =>
    new Promise((resolve, reject) => {
      let body = '';
      pool.dispatch(
        { method: 'GET', path: '/', headers: [], body: null },
        {
          onHead: () => undefined,
          onBody: (piece) => Boolean((body += piece.toString('latin1'))),
          onEnd: () => resolve(body),
          onFailure: reject,
        },
      );
    });

  async function expectRejected(text: string): Promise<void> {
    service.respond = (socket) => void socket.write(text, 'latin1');
    await expect(send()).rejects.toThrow();
    await waitFor(() => service.connections[0]?.destroyed ?? false, { message: 'the connection is closed' });
  }

  it.each(STATUS_LINES)('is rejected for the status line %j', (line) =>
    expectRejected(`${line}\r\nContent-Length: 0\r\n\r\n`),
  );

  it.each(FIELDS)('is rejected for the field %j', (field) => expectRejected(sized('ok', 'A: b', field)));

  it.each(ENDS.map((fields) => [fields]))('is rejected for %j', (fields) =>
    expectRejected(`${OK}${lines(...fields)}\r\n5\r\nabcde\r\n0\r\n\r\n`),
  );

  it.each(CHUNKS)('is rejected for %s', (_, body) => expectRejected(chunked(body)));

  it.each(HEADS)('is rejected for %s', (_, text) => expectRejected(text));

  it('has no effect on a valid response, however it is split in transit', async () => {
    const text = chunked('1\r\na\r\n00c;name="a;b"\r\n body with \xff\r\n0\r\nX-Trailer: a\r\n\r\n');
    for (let at = 1; at < text.length; at += 1) {
      service.respond = (socket) => {
        socket.write(text.slice(0, at), 'latin1');
        setImmediate(() => socket.write(text.slice(at), 'latin1'));
      };
      expect(await send()).toBe('a body with \xff');
    }
  });
});
