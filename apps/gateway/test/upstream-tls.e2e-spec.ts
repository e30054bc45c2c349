import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { type TestFolder, createTestFolder, waitFor } from '@plimsoll/testing';
import { Logger } from '@nestjs/common';
import { register } from 'prom-client';
import { tlsAdvice } from '../src/pipeline/forwarding/tls-fault';
import { Fixture, type TestKey, call } from './fixture';
import { type Certificate, CertificateAuthority } from './certificates';
import { sendRaw } from './raw-http';
import { TestUpstream } from './test-upstream';

jest.setTimeout(60_000);

/** More than open a breaker. */
const MANY = 8;

/** Faults of TLS with a service that the gateways of this process counted. */
async function faults(service: string): Promise<number> {
  const { values } = (await register.getSingleMetric('gateway_upstream_tls_faults_total')?.get()) ?? {
    values: [],
  };
  const ofService = values.filter(({ labels }) => labels.service === service);
  return ofService.reduce((sum, { value }) => sum + value, 0);
}

describe('https:// services', () => {
  let fixture: Fixture;
  let folder: TestFolder;
  let account: TestKey;
  let authority: CertificateAuthority;
  let service: Certificate;
  const upstreams: TestUpstream[] = [];

  beforeAll(async () => {
    [fixture, folder] = await Promise.all([Fixture.start(), createTestFolder()]);
    account = await fixture.account('enterprise', { perMinute: 100_000 });
    authority = await CertificateAuthority.create(folder.path, 'authority');
    service = await authority.issue('service');
  });
  afterAll(async () => {
    await fixture.stop();
    await Promise.all(upstreams.map((each) => each.stop()));
    await folder.remove();
  });

  const start = (more: { requestCert?: boolean; ca?: string } = {}): Promise<string> => {
    const { cert, key } = service;
    const upstream = new TestUpstream(fixture.identityKeys, { cert, key, ...more });
    upstreams.push(upstream);
    return upstream.start();
  };
  const handshake = (): string =>
    [
      'GET /v1/streams/positions HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `x-api-key: ${account.key}\r\n\r\n`,
    ].join('\r\n');

  it('receive the identity over TLS, in requests and in WebSockets, and are operational in the status', async () => {
    const origin = await start();
    const gateway = await fixture.gateway({
      UPSTREAM_POSITIONS: origin,
      UPSTREAM_STREAMS: origin,
      UPSTREAM_TLS_CA_FILE: authority.own.certFile,
    });
    for (const method of ['GET', 'POST'] as const) {
      const body = method === 'POST' ? Buffer.from('{}') : null;
      const path = method === 'POST' ? '/v1/wallets' : '/v1/positions';
      const received = await call(gateway, path, account.key, { method, body });
      expect(received).toMatchObject({ status: 200, body: { identity: { accountId: account.accountId } } });
    }
    expect((await sendRaw(gateway, handshake(), 'welcome')).status).toBe(101);
    expect(upstreams.at(-1)?.lastUpgrade?.identity?.accountId).toBe(account.accountId);
    const { services } = (await call(gateway, '/v1/status', account.key)).body as {
      services: Record<string, string>;
    };
    expect(services).toMatchObject({ positions: 'operational', streams: 'operational' });
  });

  it('receive the certificate of the gateway where they require one', async () => {
    const origin = await start({ requestCert: true, ca: authority.own.cert });
    const own = await authority.issue('gateway');
    const settings = { UPSTREAM_POSITIONS: origin, UPSTREAM_TLS_CA_FILE: authority.own.certFile };
    const known = await fixture.gateway({
      ...settings,
      UPSTREAM_TLS_CERT_FILE: own.certFile,
      UPSTREAM_TLS_KEY_FILE: own.keyFile,
    });
    expect((await call(known, '/v1/positions', account.key)).status).toBe(200);
  });

  it.each([
    ['without a certificate', async () => ({})],
    [
      'with one of another authority',
      async () => {
        const other = await CertificateAuthority.create(folder.path, 'unknown');
        const { certFile, keyFile } = await other.issue('stranger');
        return { UPSTREAM_TLS_CERT_FILE: certFile, UPSTREAM_TLS_KEY_FILE: keyFile };
      },
    ],
  ])('that refuse a gateway %s get no request: 502, one log line, and no open breaker', async (_, own) => {
    const origin = await start({ requestCert: true, ca: authority.own.cert });
    const gateway = await fixture.gateway({
      UPSTREAM_POSITIONS: origin,
      UPSTREAM_STREAMS: origin,
      UPSTREAM_TLS_CA_FILE: authority.own.certFile,
      ...(await own()),
    });
    let received = 0;
    upstreams.at(-1)!.handler = () => (received += 1);
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const before = await faults('positions');
    for (let i = 0; i < MANY; i += 1) {
      const { status, body } = await call(gateway, '/v1/positions', account.key);
      expect([status, body.code]).toEqual([502, 'upstream_failed']);
      expect((await sendRaw(gateway, handshake(), '}')).status).toBe(502);
    }
    expect(received).toBe(0);
    expect((await faults('positions')) - before).toBe(MANY);
    const lines = logged.mock.calls.map(([line]) => (line as { msg: string }).msg);
    expect(lines).toEqual(['positions', 'streams'].map((service) => tlsAdvice('own_certificate', service)));
    logged.mockRestore();
  });

  it('whose new connections refuse the gateway continue on those that they accepted', async () => {
    const accepting = await authority.issue('accepted');
    const origin = await start({ requestCert: true, ca: authority.own.cert });
    const upstream = upstreams.at(-1)!;
    const gateway = await fixture.gateway({
      UPSTREAM_POSITIONS: origin,
      UPSTREAM_TLS_CA_FILE: authority.own.certFile,
      UPSTREAM_TLS_CERT_FILE: accepting.certFile,
      UPSTREAM_TLS_KEY_FILE: accepting.keyFile,
    });
    expect((await call(gateway, '/v1/positions', account.key)).status).toBe(200);
    const other = await CertificateAuthority.create(folder.path, 'next');
    upstream.setTls({ requestCert: true, ca: other.own.cert });
    const held: (() => void)[] = [];
    upstream.handler = (request, response) => void held.push(() => upstream.echo(request, response));
    const first = call(gateway, '/v1/positions', account.key);
    await waitFor(() => held.length === 1, { message: 'a request on the accepted connection' });
    for (let i = 0; i < MANY; i += 1) {
      expect((await call(gateway, '/v1/positions', account.key)).status).toBe(502);
    }
    held[0]?.();
    expect((await first).status).toBe(200);
    upstream.handler = upstream.echo;
    expect((await call(gateway, '/v1/positions', account.key)).status).toBe(200);
  });

  it('get no request when another authority signed their certificate: 502, and the breaker stays closed', async () => {
    const origin = await start();
    const other = await CertificateAuthority.create(folder.path, 'other');
    const gateway = await fixture.gateway({
      UPSTREAM_POSITIONS: origin,
      UPSTREAM_STREAMS: origin,
      UPSTREAM_TLS_CA_FILE: other.own.certFile,
    });
    let received = 0;
    upstreams.at(-1)!.handler = () => (received += 1);
    for (let i = 0; i < MANY; i += 1) {
      const { status, body } = await call(gateway, '/v1/positions', account.key);
      expect([status, body.code]).toEqual([502, 'upstream_failed']);
      expect((await sendRaw(gateway, handshake(), '}')).status).toBe(502);
    }
    expect(received).toBe(0);
  });

  it('get no request in clear text', async () => {
    const received: Buffer[] = [];
    const sockets: Socket[] = [];
    const listener = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.once('data', (bytes: Buffer) => {
        received.push(bytes);
        socket.destroy();
      });
    });
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const origin = `https://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const gateway = await fixture.gateway({ UPSTREAM_POSITIONS: origin, UPSTREAM_STREAMS: origin });
    await call(gateway, '/v1/positions', account.key);
    await sendRaw(gateway, handshake(), '}');
    await waitFor(() => received.length >= 2, { message: 'the first bytes of the connections' });
    for (const bytes of received) {
      // A TLS record with a ClientHello (RFC 8446, 5.1 and 4).
      expect([bytes[0], bytes[1], bytes[5]]).toEqual([22, 3, 1]);
      expect(bytes.toString('latin1')).not.toMatch(/x-plimsoll-identity/i);
    }
    listener.close();
  });
});
