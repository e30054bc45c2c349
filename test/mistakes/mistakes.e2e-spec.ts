import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CreatedKey, CreatedWebhook, ProblemBody, Scope } from '@plimsoll/contracts';
import { Browser } from '../attacks/browser';
import { startOwnPlatform, type Platform } from '../platform/start-platform';
import { MISTAKES, type MistakenRequest, type Sender } from './mistakes';

const GOLDEN = path.join(__dirname, 'responses.golden.json');
/** `npm run tool -- golden:mistakes` sets it. */
const writesGolden = process.env.UPDATE_GOLDEN === '1';
const UPGRADE_URL = 'https://plimsoll.test/upgrade';
const OTHER_WALLET = `0x${'5'.repeat(40)}`;

/** The parts of an error that a client reads. */
type Shown = Pick<ProblemBody, 'status' | 'code' | 'detail' | 'errors' | 'requiredTier' | 'upgradeUrl'>;
type Golden = Record<string, { request: string; response: Shown }>;

/** The response without what differs in every run. */
function shown({ status, code, detail, errors, requiredTier, upgradeUrl }: ProblemBody): Shown {
  const parts = { status, code, detail, errors, requiredTier, upgradeUrl };
  return JSON.parse(
    JSON.stringify(parts)
      .replaceAll(/\b[a-z]{2,5}_[0-9A-Za-z]{22}\b/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
  ) as Shown;
}

/** The request as a person reads it, without what differs in every run. */
function requestLine({ by, method, path: target, headers, body, text }: MistakenRequest): string {
  const sent = text ?? (body === undefined ? '' : JSON.stringify(body));
  const head = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [`${by}: ${method} ${target}`, ...head, sent].filter(Boolean).join(' | ');
}

describe('typical mistakes', () => {
  let platform: Platform;
  let origin: string;
  let foreignWebhook: string;
  let browser: Browser;
  const keys = new Map<Sender, string>();
  const received: Golden = {};
  const golden: Golden = existsSync(GOLDEN) ? (JSON.parse(readFileSync(GOLDEN, 'utf8')) as Golden) : {};

  beforeAll(async () => {
    platform = await startOwnPlatform({ UPGRADE_URL }, { plans: [] });
    ({ origin } = new URL(platform.baseUrl));
    for (const tier of ['open', 'pro', 'enterprise'] as const) keys.set(tier, await platform.createKey(tier));
    browser = await Browser.signedIn({ origin });
    const scopes: Scope[] = ['positions:read'];
    const { body } = await browser.send('POST', '/account/v1/keys', { name: 'reader', scopes });
    keys.set('reader', (body as unknown as CreatedKey).key.key);
    const url = 'http://127.0.0.1:8000/hook';
    const other: MistakenRequest = { by: 'enterprise', method: 'POST', path: '/v1/wallets' };
    await succeed({ ...other, body: { address: OTHER_WALLET } });
    const created = await succeed({ ...other, path: '/v1/webhooks', body: { url, events: ['test.ping'] } });
    foreignWebhook = (JSON.parse(created) as CreatedWebhook).webhook.id;
  }, 180_000);

  afterAll(async () => {
    await platform?.stop();
  }, 60_000);

  async function send(request: MistakenRequest): Promise<{ status: number; text: string }> {
    const { by, method, path: target, headers, body, text } = request;
    const sent = text ?? (body === undefined ? null : JSON.stringify(body));
    const key = keys.get(by);
    const response = await fetch(
      origin + target.replace('{webhook}', foreignWebhook).replace('{wallet}', OTHER_WALLET),
      {
        method,
        headers: {
          ...(key && { 'x-api-key': key }),
          ...(by === 'session' && { cookie: browser.cookie, origin }),
          ...(sent !== null && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: sent,
        signal: AbortSignal.timeout(15_000),
      },
    );
    return { status: response.status, text: await response.text() };
  }

  async function succeed(request: MistakenRequest): Promise<string> {
    const { status, text } = await send(request);
    if (status >= 300) throw new Error(`${requestLine(request)} responded with ${status}: ${text}`);
    return text;
  }

  it.each(MISTAKES.map((mistake) => [mistake.mistake, mistake] as const))('%s', async (name, mistake) => {
    for (const request of mistake.before ?? []) await succeed(request);
    const { status, text } = await send(mistake);
    const body = JSON.parse(text) as ProblemBody;
    expect(body.status).toBe(status);
    received[name] = { request: requestLine(mistake), response: shown(body) };
    if (!writesGolden) expect(received[name]).toEqual(golden[name]);
  });

  it('has a response for each mistake, and no other', () => {
    if (writesGolden) writeFileSync(GOLDEN, JSON.stringify(received, null, 2));
    const names = MISTAKES.map(({ mistake }) => mistake);
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(Object.keys(writesGolden ? received : golden)).toEqual(names);
  });
});
