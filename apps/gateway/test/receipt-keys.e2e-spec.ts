import { Fixture } from './fixture';

const PATH = '/.well-known/plimsoll-keys.json';
const KEYS = JSON.stringify({ keys: [{ id: 'rck_1', publicKey: 'x', fromMs: 1, untilMs: null }] });

describe('the public keys of receipts', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await Fixture.start();
  }, 60_000);
  afterAll(() => fixture.stop());

  it('are a 503 until positions responds, and stay when it no longer does', async () => {
    const origin = await fixture.gateway();
    fixture.upstream.handler = (_, response) => void response.writeHead(500).end();
    const unavailable = await fetch(origin + PATH);
    expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '5']);
    fixture.upstream.handler = ({ url }, response) =>
      void response.writeHead(url === PATH ? 200 : 404, { 'content-type': 'application/json' }).end(KEYS);
    expect(await (await fetch(origin + PATH)).text()).toBe(KEYS);
    fixture.upstream.handler = (_, response) => void response.destroy();
    expect(await (await fetch(origin + PATH)).text()).toBe(KEYS);
  });

  it('need no API key, and may be cached, also by pages of other origins', async () => {
    fixture.upstream.handler = (_, response) => void response.writeHead(200).end(KEYS);
    const origin = await fixture.gateway();
    const { status, headers } = await fetch(origin + PATH);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const again = await fetch(origin + PATH, { headers: { 'if-none-match': headers.get('etag')! } });
    expect(again.status).toBe(304);
  });
});
