import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '@plimsoll/service-kit';
import { GatewayConfig } from '../src/config';
import { Fixture, call } from './fixture';
import { Browser, outcome } from './identity/browser';

jest.setTimeout(60_000);

const PATH = '/portal/local-market.json';
const PUBLIC_URL = 'http://127.0.0.1:4000';
const TOKEN = 'token-of-the-control-port';
const SHOCK = { asset: 'ETH', percent: -30, seconds: 60 };

describe('LOCAL_MARKET_URL', () => {
  let fixture: Fixture;
  let control: Server;
  let browser: Browser;
  let gateway: string;
  let settings: Partial<GatewayConfig>;
  const orders: { method: string; token: string; order: unknown }[] = [];

  beforeAll(async () => {
    fixture = await Fixture.start();
    control = createServer((request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const order = text === '' ? null : (JSON.parse(text) as { symbol?: string });
        orders.push({ method: request.method ?? '', token: request.headers.authorization ?? '', order });
        const isUnknown = order?.symbol === 'DOGE';
        response.writeHead(isUnknown ? 400 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isUnknown ? { error: 'there is no asset DOGE' } : { changes: [] }));
      });
    });
    await new Promise<void>((done) => control.listen(0, '127.0.0.1', done));
    settings = {
      PUBLIC_URL,
      LOCAL_MARKET_URL: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
      LOCAL_MARKET_TOKEN: TOKEN,
    };
    gateway = await fixture.gateway(settings);
    browser = await Browser.signedIn(gateway);
  });
  afterAll(async () => {
    await fixture.stop();
    control.close();
  });
  beforeEach(() => {
    orders.length = 0;
  });

  it('passes orders of a signed-in page on, with a token that it keeps', async () => {
    expect((await browser.get(PATH)).status).toBe(200);
    expect((await browser.post(PATH, SHOCK)).body).toEqual({ changes: [] });
    expect((await browser.delete(PATH)).status).toBe(200);
    const token = `Bearer ${TOKEN}`;
    expect(orders).toEqual([
      { method: 'GET', token, order: null },
      { method: 'POST', token, order: { action: 'shock', symbol: 'ETH', percent: -30, seconds: 60 } },
      { method: 'POST', token, order: { action: 'stop' } },
    ]);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403, 'foreign_origin'],
    [{ 'sec-fetch-site': 'same-site' }, 403, 'foreign_origin'],
    [{ origin: 'https://evil.example' }, 403, 'foreign_origin'],
    [{ origin: 'null' }, 403, 'foreign_origin'],
    [{ 'sec-fetch-site': 'same-origin', host: 'evil.example' }, 404, 'route_not_found'],
  ])('refuses a request with the headers %j, also with a session', async (headers, status, code) => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const refused = await call(gateway, PATH, undefined, {
        method,
        ...(method === 'POST' && { body: JSON.stringify(SHOCK) }),
        headers: { 'content-type': 'application/json', cookie: browser.cookie ?? '', ...headers },
      });
      expect([method, ...outcome(refused)]).toEqual([method, status, code]);
    }
    expect(orders).toEqual([]);
  });

  it('refuses a browser without a session, and what forms can send', async () => {
    expect(outcome(await new Browser(gateway).post(PATH, SHOCK))).toEqual([401, 'not_signed_in']);
    const form = await call(gateway, PATH, undefined, {
      method: 'POST',
      body: 'asset=ETH&percent=-30&seconds=0',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        cookie: browser.cookie ?? '',
      },
    });
    expect(form.status).toBeGreaterThanOrEqual(400);
    expect(orders).toEqual([]);
  });

  it.each([
    { ...SHOCK, percent: -100 },
    { ...SHOCK, percent: '-30' },
    { ...SHOCK, seconds: 3_601 },
    { ...SHOCK, asset: 'ETH","action":"set' },
    { ...SHOCK, action: 'replay' },
    {},
  ])('refuses the body %j', async (body) => {
    expect(outcome(await browser.post(PATH, body))).toEqual([400, 'invalid_request']);
    expect(orders).toEqual([]);
  });

  it('says why the market refuses an order, and that it does not respond', async () => {
    const refused = await browser.post(PATH, { ...SHOCK, asset: 'DOGE' });
    expect([outcome(refused), refused.body['detail']]).toEqual([
      [400, 'invalid_request'],
      'there is no asset DOGE',
    ]);
    const alone = await fixture.gateway({ ...settings, LOCAL_MARKET_URL: 'http://127.0.0.1:1' });
    const other = await Browser.signedIn(alone);
    expect(outcome(await other.get(PATH))).toEqual([503, 'upstream_unavailable']);
  });

  it('has no market without it', async () => {
    const plain = await Browser.signedIn(await fixture.gateway());
    expect(outcome(await plain.get(PATH))).toEqual([404, 'route_not_found']);
  });

  it.each([
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://api.example.com' },
    { PUBLIC_URL: '' },
    { LOCAL_MARKET_TOKEN: '' },
    { LOCAL_MARKET_URL: 'http://10.0.0.1:80' },
  ])('stops the start with %j', (different) => {
    const { HOST, PORT, ...rest } = fixture.config(settings);
    const variables = Object.entries({ ...rest, HOST, PORT, ...different });
    const environment = Object.fromEntries(variables.map(([name, value]) => [name, String(value)]));
    expect(() => loadConfig(GatewayConfig, environment)).toThrow(/LOCAL_MARKET/);
  });
});
