import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { generateApiKey } from '@plimsoll/access';
import type { Browser, Page, Request } from 'playwright-core';
import { startChromium } from '../../test/portal/portal-browser';
import type { Platform } from '../../test/platform/start-platform';
import { onPlatform } from '../flow/on-platform';
import { percentile } from '../flow/percentile';

export const description =
  'the portal in Chromium: script, first paint, interactions with 5,000 deliveries, shift of the layout, requests at rest [--deliveries N] [--rest SECONDS]';

const EMAIL = 'bench@plimsoll.test';
const PASSWORD = 'correct horse battery staple';
const CONCURRENCY = 16;
const READ_DEADLINE_MS = 120_000;
const AIMS = {
  scriptKib: 180,
  firstPaintMs: 1_500,
  interactionP95Ms: 100,
  layoutShift: 0.05,
  restShare: 0.2,
};
/** Requests per minute of the account API, and of the sessions of an enterprise account at /v1. */
const [ACCOUNT_API_PER_MINUTE, SESSION_PER_MINUTE] = [120, 1_000];
/** Chromium reports interactions from this duration on. Shorter ones count as this. */
const SHORTEST_MS = 16;

const progress = (line: string): void => console.error(line);

export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { deliveries: { type: 'string', default: '5000' }, rest: { type: 'string', default: '30' } },
  });
  const receiver = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const browser = await startChromium();
  try {
    return await onPlatform([], progress, (platform) =>
      measure(platform, browser, url, { count: Number(values.deliveries), restSeconds: Number(values.rest) }),
    );
  } finally {
    await browser.close();
    receiver.close();
  }
}

async function measure(
  platform: Platform,
  browser: Browser,
  url: string,
  { count, restSeconds }: { count: number; restSeconds: number },
): Promise<object> {
  const endpoint = await seed(platform, url, count);
  const { origin } = new URL(platform.baseUrl);
  const first = await firstPage(browser, origin);
  const page = await signedIn(browser, origin);
  const interactions = await interact(page, `${origin}/portal/webhooks/${endpoint}`, count);
  const layoutShift = await shifts(page, origin, endpoint);
  const rest = await atRest(page, origin, endpoint, restSeconds);
  return summarise(first, interactions, layoutShift, rest, count);
}

/** Sends tests to an endpoint. Each is a delivery. @returns the id of the endpoint */
async function seed(platform: Platform, url: string, count: number): Promise<string> {
  const key = generateApiKey('demo', randomBytes);
  await platform.admin(
    'ensure-demo',
    '--tier',
    'enterprise',
    '--email',
    EMAIL,
    '--key',
    key,
    '--password',
    PASSWORD,
    '--per-minute',
    '1000000',
  );
  const send = async (path: string, body: object): Promise<{ webhook: { id: string } }> => {
    const response = await fetch(`${platform.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { webhook: { id: string } };
  };
  const { webhook } = await send('/webhooks', { url, events: ['test.ping'] });
  let left = count;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (left % 500 === 0) progress(`${left} deliveries to send`);
      await send(`/webhooks/${webhook.id}/test`, {});
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sender));
  return webhook.id;
}

/** Script and paint of the first page in a browser without a cache. */
async function firstPage(
  browser: Browser,
  origin: string,
): Promise<{ scriptKib: number; firstPaintMs: number }> {
  const paints: number[] = [];
  let scriptBytes = 0;
  for (let round = 0; round < 5; round += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const scripts: Request[] = [];
    page.on('requestfinished', (request) => request.resourceType() === 'script' && scripts.push(request));
    await page.goto(`${origin}/portal`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(scripts.map((script) => script.sizes()));
    scriptBytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    paints.push(
      await page.evaluate<number>(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN",
      ),
    );
    await context.close();
  }
  return { scriptKib: scriptBytes / 1_024, firstPaintMs: percentile(paints, 0.5) };
}

/** Records interactions and shifts of the layout from the start of each page. */
const OBSERVE = `
globalThis.interactions = []; globalThis.shift = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (entry.interactionId) interactions.push(entry.duration); })
  .observe({ type: 'event', durationThreshold: ${SHORTEST_MS}, buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value; })
  .observe({ type: 'layout-shift', buffered: true });`;

async function signedIn(browser: Browser, origin: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1_440, height: 900 } })).newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(`${origin}/portal/log-in`);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page
    .getByRole('heading', { name: /Home|first call/ })
    .first()
    .waitFor();
  return page;
}

interface Interactions {
  p95Ms: number;
  count: number;
  rows: number;
  longestFrameMs: number;
}

/** Reads all deliveries by scrolling, then opens, closes and filters. */
async function interact(page: Page, address: string, count: number): Promise<Interactions> {
  await page.goto(address);
  const table = page.getByRole('table', { name: 'Deliveries' });
  await table.waitFor();
  progress('reading all deliveries');
  const rows = async (): Promise<number> => Number(await table.getAttribute('aria-rowcount')) - 1;
  const deadline = Date.now() + READ_DEADLINE_MS;
  while ((await rows()) < count && Date.now() < deadline) {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.waitForTimeout(50);
  }
  await page.evaluate('scrollTo(0, 0)');
  const longestFrameMs = await page.evaluate<number>(`new Promise((done) => {
    let longest = 0, last = performance.now(), y = 0;
    const frame = (now) => {
      longest = Math.max(longest, now - last); last = now; y += 900; scrollTo(0, y);
      if (y < 120000) requestAnimationFrame(frame); else { scrollTo(0, 0); done(longest); }
    };
    requestAnimationFrame(frame);
  })`);
  let done = 0;
  const click = async (locator: ReturnType<Page['getByRole']>): Promise<void> => {
    await locator.click();
    done += 1;
  };
  for (let round = 0; round < 10; round += 1) {
    await click(page.getByRole('button', { name: /test\.ping, details/ }).nth(round));
    await page.getByRole('dialog').getByText('1. 200').waitFor();
    await click(page.getByRole('button', { name: 'Close' }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    done += 1;
  }
  const durations = await page.evaluate<number[]>('interactions');
  const rest = Array.from({ length: Math.max(0, done - durations.length) }, () => SHORTEST_MS);
  return {
    p95Ms: percentile([...durations, ...rest], 0.95),
    count: done,
    rows: await rows(),
    longestFrameMs,
  };
}

const pagesOf = (endpoint: string): string[] => [
  '/',
  '/keys',
  `/webhooks/${endpoint}`,
  '/events',
  '/requests',
  '/usage',
  '/account',
];

/** The largest shift of the layout of a page while it loads. */
async function shifts(page: Page, origin: string, endpoint: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const each of pagesOf(endpoint)) {
    await page.goto(`${origin}/portal${each}`);
    await page.waitForLoadState('networkidle');
    found[each.replace(endpoint, ':id')] = Number((await page.evaluate<number>('shift')).toFixed(4));
  }
  return found;
}

/** The largest share of a window that a page uses while nothing happens. */
async function atRest(
  page: Page,
  origin: string,
  endpoint: string,
  seconds: number,
): Promise<Record<string, number>> {
  const shares: Record<string, number> = {};
  for (const each of ['/', `/webhooks/${endpoint}`, '/requests', '/usage']) {
    await page.goto(`${origin}/portal${each}`);
    await page.waitForLoadState('networkidle');
    let [account, api] = [0, 0];
    const count = (request: { url(): string }): void => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/account/')) account += 1;
      if (pathname.startsWith('/v1/')) api += 1;
    };
    page.on('request', count);
    await page.waitForTimeout(seconds * 1_000);
    page.off('request', count);
    const perMinute = 60 / seconds;
    const share = Math.max(
      (account * perMinute) / ACCOUNT_API_PER_MINUTE,
      (api * perMinute) / SESSION_PER_MINUTE,
    );
    shares[each.replace(endpoint, ':id')] = Number(share.toFixed(3));
  }
  return shares;
}

function summarise(
  first: { scriptKib: number; firstPaintMs: number },
  interactions: Interactions,
  layoutShift: Record<string, number>,
  rest: Record<string, number>,
  deliveries: number,
): object {
  const results = {
    scriptKib: Number(first.scriptKib.toFixed(1)),
    firstPaintMs: Math.round(first.firstPaintMs),
    interactionP95Ms: Math.round(interactions.p95Ms),
    layoutShift: Math.max(...Object.values(layoutShift)),
    restShare: Math.max(...Object.values(rest)),
  };
  const passed =
    interactions.rows >= deliveries &&
    (Object.keys(AIMS) as (keyof typeof AIMS)[]).every((name) => results[name] <= AIMS[name]);
  return { bench: 'portal', deliveries, results, aims: AIMS, interactions, layoutShift, rest, passed };
}
