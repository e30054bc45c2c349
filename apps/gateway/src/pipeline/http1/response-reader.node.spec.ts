import { Agent, type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { MalformedResponse } from './response-head';
import { ResponseReader } from './response-reader';

interface Read {
  status: number;
  headers: string[];
  body: string;
}

/**
 * The response as our reader reads it. Undefined when it rejects the bytes or they are incomplete. It ignores
 * bytes after the end, but closes the connection.
 */
function readByUs(bytes: Buffer, method: string): Read | undefined {
  const read: Read = { status: 0, headers: [], body: '' };
  const reader = new ResponseReader(method, {
    onHead: ({ status, headers }) => Object.assign(read, { status, headers }),
    onBody: (piece) => (read.body += piece.toString('latin1')),
  });
  try {
    reader.read(bytes);
    if (!reader.isEnded) reader.close();
    fc.pre(!reader.hasMore);
    return read;
  } catch (error) {
    if (error instanceof MalformedResponse) return undefined;
    throw error;
  }
}

/** The response as Node's own client reads it, which uses llhttp. */
function readByNode(bytes: Buffer, method: string): Promise<Read | undefined> {
  const connection: Duplex = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => {
      done();
      connection.push(bytes);
      connection.push(null);
    },
  });
  return new Promise((resolve) => {
    const agent = Object.assign(new Agent(), { createConnection: () => connection });
    const call = request({ method, host: 'a', agent });
    call.on('error', () => resolve(undefined));
    call.on('response', (response: IncomingMessage) => {
      let body = '';
      response.setEncoding('latin1').on('data', (text: string) => (body += text));
      response.on('error', () => resolve(undefined));
      response.on('close', () => {
        const { statusCode: status = 0, rawHeaders: headers, complete } = response;
        resolve(complete ? { status, headers, body } : undefined);
      });
    });
    call.end();
  });
}

const STATUSES = ['200 OK', '404 Not Found', '204 No Content', '304 Not Modified', '503 ', '201'];
const FIELDS = [
  'X-A: b',
  'x-a:b',
  'Date:  today ',
  'Via: \t1.1 a',
  'X-Empty:',
  'Connection: close',
  'Keep-Alive: timeout=5',
];
const INTERIM = ['', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n'];

const chunksOf = (pieces: readonly string[], extension: string, trailers: string): string =>
  `${pieces.map((piece) => `${piece.length.toString(16)}${extension}\r\n${piece}\r\n`).join('')}0\r\n${trailers}\r\n`;

const bodies = fc.array(fc.string({ minLength: 1, maxLength: 12, unit: 'binary-ascii' }), { maxLength: 4 });
const framed = fc.oneof(
  bodies.map((pieces) => [`Content-Length: ${pieces.join('').length}`, pieces.join('')]),
  fc
    .tuple(bodies, fc.constantFrom('', ';a=b', ';a="b;c"'), fc.constantFrom('', 'X-T: a\r\n'))
    .map(([pieces, extension, trailers]) => [
      'Transfer-Encoding: chunked',
      chunksOf(pieces, extension, trailers),
    ]),
  bodies.map((pieces) => ['X-Until: close', pieces.join('')]),
);

const responses = fc
  .tuple(
    fc.constantFrom(...INTERIM),
    fc.constantFrom('HTTP/1.1', 'HTTP/1.0'),
    fc.constantFrom(...STATUSES),
    fc.array(fc.constantFrom(...FIELDS), { maxLength: 4 }),
    framed,
  )
  .map(([interim, version, status, fields, [ending = '', body = '']]) =>
    Buffer.from(
      `${interim}${version} ${status}\r\n${[...fields, ending].join('\r\n')}\r\n\r\n${body}`,
      'latin1',
    ),
  );

/**
 * Changes, removes or inserts some bytes, mostly delimiters. No tab: Node rejects it after a length, and we
 * accept it (RFC 9112, 5).
 */
const broken = fc
  .tuple(
    responses,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom('change', 'leave', 'put'),
        fc.oneof(
          fc.constantFrom(...'\r\n :;,\0'),
          fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme-ascii' }),
        ),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([bytes, changes]) => {
    let text = bytes.toString('latin1');
    for (const [place, what, put] of changes) {
      const at = place % Math.max(1, text.length);
      text = `${text.slice(0, at)}${what === 'leave' ? '' : put}${text.slice(what === 'put' ? at : at + 1)}`;
    }
    return Buffer.from(text, 'latin1');
  });

const methods = fc.constantFrom('GET', 'GET', 'HEAD');

describe('the result of a ResponseReader', () => {
  it('equals the result of Node for every well-formed response', () =>
    fc.assert(
      fc.asyncProperty(responses, methods, async (bytes, method) => {
        const ours = readByUs(bytes, method);
        if (ours) expect(ours).toEqual(await readByNode(bytes, method));
        else expect(bytes.toString('latin1')).toMatch(/HTTP\/1\.0[^]*Transfer-Encoding/);
      }),
      { numRuns: 500 },
    ));

  it('equals the result of Node, or is an error, for a broken response', () =>
    fc.assert(
      fc.asyncProperty(broken, methods, async (bytes, method) => {
        const ours = readByUs(bytes, method);
        if (ours) expect(ours).toEqual(await readByNode(bytes, method));
      }),
      { numRuns: 2_000 },
    ));
});
