import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { findFreePort } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import type { ServiceCall, ServiceRequest } from '../src/pipeline/forwarding/service-call';
import { ServicePool } from '../src/pipeline/forwarding/service-pool';
import { ScriptedService, whole } from './scripted-service';

const MIB = 1_048_576;

/** A request with its progress, as a test records it. */
interface Followed {
  call: ServiceCall;
  /** Grows as the response arrives. */
  body: string;
  status: number | undefined;
  /** Whether the test wants more after each piece. */
  wantsMore: boolean;
  /** The status when the response is complete. */
  ended: Promise<number | undefined>;
}

describe('ServicePool', () => {
  let service: ScriptedService;
  let pool: ServicePool;
  const pools: ServicePool[] = [];

  const poolAt = (origin: string, connections = 128, bodySilenceMs = 10_000): ServicePool => {
    const made = new ServicePool(origin, { connections, connectDeadlineMs: 5_000, bodySilenceMs, tls: {} });
    pools.push(made);
    return made;
  };

  beforeEach(async () => {
    service = await new ScriptedService().start();
    pool = poolAt(service.origin);
  });
  afterEach(() => {
    for (const each of pools.splice(0)) each.close();
    service.stop();
  });

  function ask(request: Partial<ServiceRequest> = {}, from = pool): Followed {
    const { promise, resolve, reject } = deferred<number | undefined>();
    const followed = { body: '', status: undefined, wantsMore: true, ended: promise } as unknown as Followed;
    followed.call = from.dispatch(
      { method: 'GET', path: '/a?b', headers: [], body: null, ...request },
      {
        onHead: (status) => void (followed.status = status),
        onBody: (piece) => {
          followed.body += piece.toString('latin1');
          return followed.wantsMore;
        },
        onEnd: () => resolve(followed.status),
        onFailure: reject,
      },
    );
    // A test that expects a failure awaits it later.
    promise.catch(() => undefined);
    return followed;
  }

  const bodyOf = async (request: Partial<ServiceRequest> = {}): Promise<string> => {
    const followed = ask(request);
    await followed.ended;
    // A connection is used again in a later turn than its response.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    return followed.body;
  };
  const isClosed = (at: number) => () => service.connections[at]?.destroyed ?? false;

  it('sends a request unchanged, with the headers of a connection', async () => {
    expect(await bodyOf({ path: '/v1/x', headers: ['accept', '*/*', 'x-y', 'z'] })).toBe('ok');
    const { host } = new URL(service.origin);
    const lines = ['GET /v1/x HTTP/1.1', `host: ${host}`, 'connection: keep-alive', 'accept: */*', 'x-y: z'];
    expect(service.received).toEqual([`${lines.join('\r\n')}\r\n\r\n`]);
  });

  it('reuses a connection for the next request', async () => {
    for (let i = 0; i < 5; i += 1) expect(await bodyOf()).toBe('ok');
    expect(service.connections).toHaveLength(1);
  });

  it('opens connections up to its limit, and requests wait for them in order', async () => {
    const narrow = poolAt(service.origin, 2);
    const asked: string[] = [];
    const held: (() => void)[] = [];
    service.respond = (socket, request) => {
      asked.push(request.split(' ')[1] ?? '');
      held.push(() => socket.write(whole('ok')));
    };
    const calls = ['/0', '/1', '/2', '/3', '/4', '/5'].map((path) => ask({ path }, narrow));
    calls[3]?.call.abort();
    for (const count of [2, 4, 5]) {
      await waitFor(() => asked.length === count, { message: `${count} calls at the service` });
      for (const release of held.splice(0)) release();
    }
    await Promise.all([0, 1, 2, 4, 5].map((at) => calls[at]?.ended));
    expect(asked.toSorted()).toEqual(['/0', '/1', '/2', '/4', '/5']);
    expect(asked.slice(0, 2).toSorted()).toEqual(['/0', '/1']);
    expect(service.connections).toHaveLength(2);
  });

  it.each([
    ['close', whole('ok', 'Connection: close\r\n')],
    ['HTTP/1.0', whole('ok').replace('1.1', '1.0')],
    ['a hint of no time', whole('ok', 'Keep-Alive: timeout=1\r\n')],
    ['bytes after the response', `${whole('ok')}${whole('poison')}`],
  ])('does not use a connection again after %s', async (_, text) => {
    service.respond = (socket) => void socket.write(text);
    for (let i = 0; i < 3; i += 1) expect(await bodyOf()).toBe('ok');
    expect(service.connections).toHaveLength(3);
  });

  it('ignores a response that was sent before the request', async () => {
    expect(await bodyOf()).toBe('ok');
    service.connections[0]?.write(whole('poison'));
    await waitFor(isClosed(0), { message: 'the connection is abandoned' });
    expect(await bodyOf()).toBe('ok');
    expect(service.connections).toHaveLength(2);
  });

  it('opens another connection when the service closed the idle one', async () => {
    expect(await bodyOf()).toBe('ok');
    service.connections[0]?.end();
    await waitFor(isClosed(0), { message: 'the connection closed on both sides' });
    expect(await bodyOf()).toBe('ok');
    expect(service.connections).toHaveLength(2);
  });

  it('reads a response that arrives byte by byte, after hints and in chunks', async () => {
    const text =
      'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n1;x\r\n!\r\n0\r\nA: b\r\n\r\n';
    service.respond = async (socket) => {
      for (const byte of text) await new Promise<void>((done) => void socket.write(byte, () => done()));
    };
    for (let i = 0; i < 2; i += 1) expect(await bodyOf()).toBe('ok!');
    expect(service.connections).toHaveLength(1);
  });

  it('reads to the end of the connection if the response has no length', async () => {
    service.respond = (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nto the end');
    expect(await bodyOf()).toBe('to the end');
    expect(await bodyOf()).toBe('to the end');
  });

  it.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['half a body', whole('a body').slice(0, -1)],
    ['half the chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n'],
  ])('fails when the connection ends after %s', async (_, text) => {
    service.respond = (socket) => void socket.end(text);
    await expect(ask().ended).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    service.respond = (socket) => socket.write(text, () => socket.resetAndDestroy()) as unknown as void;
    await expect(ask().ended).rejects.toThrow();
  });

  it('closes the connection with a HEAD, because some services send a body', async () => {
    service.respond = (socket) => void socket.write(whole('a body'));
    expect(await bodyOf({ method: 'HEAD' })).toBe('');
    expect(service.received[0]).toContain('\r\nconnection: close\r\n');
    await waitFor(isClosed(0), { message: 'the connection is abandoned' });
  });

  it('fails when the service is down, and when it stops within a body', async () => {
    const away = poolAt(`http://127.0.0.1:${await findFreePort()}`);
    await expect(ask({}, away).ended).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    service.respond = (socket) => void socket.write(whole('a body').slice(0, -1));
    const impatient = poolAt(service.origin, 1, 100);
    await expect(ask({}, impatient).ended).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
  });

  it('fails every request when it is closed, and sends none after that', async () => {
    const narrow = poolAt(service.origin, 1);
    service.respond = () => undefined;
    const [first, second] = [ask({}, narrow), ask({}, narrow)];
    await waitFor(() => service.received.length === 1, { message: 'a request at the service' });
    narrow.close();
    for (const { ended } of [first, second])
      await expect(ended).rejects.toMatchObject({ code: 'POOL_CLOSED' });
    await expect(ask({}, narrow).ended).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
  });

  it('aborts a request: the service is notified, no error is reported, and the next request has a new connection', async () => {
    let isRejected = false;
    service.respond = () => undefined;
    const left = ask();
    void left.ended.catch(() => (isRejected = true));
    await waitFor(() => service.received[0] !== undefined && service.received[0] !== '', {
      message: 'the call',
    });
    left.call.abort();
    await waitFor(isClosed(0), { message: 'the connection is abandoned' });
    service.respond = (socket) => void socket.write(whole('ok'));
    expect(await bodyOf()).toBe('ok');
    expect(isRejected).toBe(false);
  });

  it('pauses the service while no client reads, and then everything arrives', async () => {
    const size = 32 * MIB;
    service.respond = (socket) => void socket.write(whole('x'.repeat(size)));
    const followed = ask();
    followed.wantsMore = false;
    await waitFor(() => followed.body !== '', { message: 'a part of the body' });
    const [socket] = service.connections;
    await waitForStandstill(() => socket?.bytesWritten ?? 0);
    const held = followed.body.length;
    expect(held).toBeLessThan(MIB);
    // One piece each time that the test wants more.
    followed.call.resume();
    await waitFor(() => followed.body.length > held, { message: 'another part of the body' });
    expect(followed.body.length).toBeLessThan(2 * MIB);
    followed.wantsMore = true;
    followed.call.resume();
    await followed.ended;
    expect(followed.body).toHaveLength(size);
  });

  describe('with a body', () => {
    const until = (end: string) => {
      service.respond = (socket, request) => {
        if (request.endsWith(end)) socket.write(whole('ok'));
      };
    };

    it('sends it with its length, or in chunks, and reuses the connection', async () => {
      until('body');
      const headers = ['content-length', '6'];
      const body = () => Readable.from([Buffer.from('a '), Buffer.from('body')]);
      expect(await bodyOf({ method: 'POST', headers, body: body() })).toBe('ok');
      expect(service.received[0]).toMatch(/\r\ncontent-length: 6\r\n\r\na body$/);
      until('0\r\n\r\n');
      service.received[0] = '';
      expect(await bodyOf({ method: 'PUT', body: body() })).toBe('ok');
      expect(service.received[0]).toMatch(
        /\r\ntransfer-encoding: chunked\r\n\r\n2\r\na \r\n4\r\nbody\r\n0\r\n\r\n$/,
      );
      expect(service.connections).toHaveLength(1);
    });

    it('states an empty body where one is usual, and closes a connection with an unexpected body', async () => {
      expect(await bodyOf({ method: 'POST' })).toBe('ok');
      expect(service.received[0]).toMatch(/\r\ncontent-length: 0\r\n\r\n$/);
      until('body');
      const body = Readable.from([Buffer.from('body')]);
      await bodyOf({ method: 'GET', headers: ['content-length', '4'], body });
      await waitFor(isClosed(0), { message: 'the connection ended' });
      expect(service.received[0]).toContain('\r\nconnection: close\r\n');
    });

    it('sends no faster than the service reads', async () => {
      let given = 0;
      const body = new Readable({
        read() {
          given += 1;
          this.push(given > 64 ? null : Buffer.alloc(MIB));
        },
      });
      let read = 0;
      service.respond = (socket) => {
        service.respond = () => undefined;
        socket.removeAllListeners('data').pause();
      };
      const followed = ask({
        method: 'POST',
        headers: ['content-length', String(64 * MIB)],
        body,
      });
      await waitFor(() => given > 0, { message: 'the body' });
      await waitForStandstill(() => given);
      expect(given).toBeLessThan(40);
      const [socket] = service.connections;
      socket?.on('data', (bytes: Buffer) => (read += bytes.length));
      socket?.resume();
      await waitFor(() => given > 64 && read > 63 * MIB, { message: 'the complete body' });
      socket?.write(whole('ok'));
      expect(await followed.ended).toBe(200);
    });

    it('forwards a response that comes before the end of the request, and discards the rest', async () => {
      const body = new PassThrough();
      body.write('the beginning');
      const followed = ask({ method: 'POST', headers: ['content-length', '99'], body });
      expect(await followed.ended).toBe(200);
      await waitFor(() => body.destroyed && isClosed(0)(), {
        message: 'the body and the connection are abandoned',
      });
    });

    it('fails with the cause of the abort, and the service never receives its end', async () => {
      const body = new PassThrough();
      body.write('the beginning');
      service.respond = () => undefined;
      const followed = ask({ method: 'POST', body });
      await waitFor(() => service.received[0]?.includes('the beginning') ?? false, {
        message: 'a part of the response',
      });
      body.destroy(new Error('too large'));
      await expect(followed.ended).rejects.toThrow('too large');
      await waitFor(isClosed(0), { message: 'the connection is abandoned' });
      expect(service.received[0]).not.toMatch(/0\r\n\r\n$/);
    });

    it('is released when the request is aborted or cannot be sent', async () => {
      const [left, refused] = [new PassThrough(), new PassThrough()];
      service.respond = () => undefined;
      const followed = ask({ method: 'POST', body: left });
      followed.call.abort();
      const away = poolAt(`http://127.0.0.1:${await findFreePort()}`);
      await expect(ask({ method: 'POST', body: refused }, away).ended).rejects.toThrow();
      expect([left.destroyed, refused.destroyed]).toEqual([true, true]);
    });
  });
});

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

/** Waits until a count is the same twice in a row. */
async function waitForStandstill(count: () => number): Promise<void> {
  let before = -1;
  const stands = (): boolean => {
    const now = count();
    const isSame = now === before;
    before = now;
    return isSame;
  };
  await waitFor(stands, { intervalMs: 300, message: 'a stalled connection' });
}
