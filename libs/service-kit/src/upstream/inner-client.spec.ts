import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CALL_HEADER,
  IDENTITY_HEADER,
  Problem,
  REQUEST_ID_HEADER,
  invalidRequest,
  problemBody,
} from '@plimsoll/contracts';
import { getGlobalDispatcher } from 'undici';
import { continueCorrelation, withCorrelation } from '../correlation-context';
import { InnerClient } from './inner-client';
import type { Caller } from './service-calls';

const caller = { signedIdentity: 'signed' };
const proofs = {
  dispatcher: getGlobalDispatcher(),
  headers: (to: string, method: string, path: string, { signedIdentity }: Caller) => ({
    [IDENTITY_HEADER]: signedIdentity,
    [CALL_HEADER]: `${to} ${method} ${path}`,
  }),
};
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'returned',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );

describe('InnerClient', () => {
  let server: Server;
  let origin: string;
  let calls: IncomingHttpHeaders[];
  let respond: (response: ServerResponse) => void;

  beforeEach(async () => {
    calls = [];
    server = createServer(({ headers }, response) => {
      calls.push(headers);
      respond(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const client = (deadlineMs?: number) =>
    new InnerClient(proofs, 'positions', origin, 'The thing', deadlineMs, () => 0);
  const status = (code: number, body: object = {}) => {
    respond = (response) => void response.writeHead(code).end(JSON.stringify(body));
  };

  it('passes on the caller and the request id, returns the response, and returns null for a 404', async () => {
    status(200, { a: 1 });
    const correlation = continueCorrelation('req_1', '');
    await withCorrelation(correlation, () =>
      expect(client().get('/x?y=%20z', caller)).resolves.toEqual({ a: 1 }),
    );
    expect(calls[0]).toMatchObject({
      [IDENTITY_HEADER]: 'signed',
      [CALL_HEADER]: 'positions GET /x?y=%20z',
      [REQUEST_ID_HEADER]: 'req_1',
    });
    status(404);
    expect(await client().get('/x', caller)).toBeNull();
  });

  it('sends a POST with its body and retries it once while the service is not ready', async () => {
    const bodies: string[] = [];
    server.removeAllListeners('request');
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        bodies.push(
          `${incoming.method} ${incoming.headers['content-type']} ${Buffer.concat(parts).toString()}`,
        );
        response.writeHead(bodies.length === 1 ? 503 : 200).end(JSON.stringify({ b: 2 }));
      });
    });
    expect(await client().post('/x', { a: 1 }, caller)).toEqual({ b: 2 });
    expect(bodies).toEqual(Array(2).fill('POST application/json {"a":1}'));
  });

  it('passes on a 400, which is the caller’s own error', async () => {
    const wrong = invalidRequest([{ field: 'wallet', code: 'invalid_checksum', message: 'Correct it.' }]);
    status(400, problemBody(wrong, '/x', 'req_1'));
    const refused = client().get('/x', caller);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', options: wrong.options });
  });

  it('retries when the service is not ready, but not when it fails', async () => {
    let tries = 0;
    respond = (response) => void response.writeHead((tries += 1) === 1 ? 503 : 200).end('{}');
    expect(await codeOf(client().get('/x', caller))).toBe('returned');
    expect(calls).toHaveLength(2);
    status(500);
    expect(await codeOf(client().get('/x', caller))).toBe('upstream_failed');
    expect(calls).toHaveLength(3);
  });

  it('retries only while its budget lasts', async () => {
    status(503);
    const one = client();
    for (let call = 0; call < 30; call += 1) await codeOf(one.get('/x', caller));
    expect(calls.length).toBeGreaterThan(38);
    expect(calls.length).toBeLessThan(45);
  });

  it('has one deadline for all attempts and ends when the client disconnects', async () => {
    respond = () => undefined;
    expect(await codeOf(client(80).get('/x', caller))).toBe('upstream_timeout');
    const left = new AbortController();
    const waiting = codeOf(client().get('/x', caller, left.signal));
    left.abort();
    expect(await waiting).toBe('upstream_unavailable');
  });

  it('sends only one trial request a second after five failures in a row', async () => {
    const nowhere = new InnerClient(proofs, 'positions', 'http://127.0.0.1:1', 'The thing', 500, () => 0);
    for (let call = 0; call < 5; call += 1) await codeOf(nowhere.get('/x', caller));
    await expect(nowhere.get('/x', caller)).rejects.toMatchObject({ cause: 'breaker is open' });
  });
});
