import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { generateApiKey } from '@plimsoll/access';
import { TIERS, type Tier } from '@plimsoll/contracts';
import type { Browser, Page, Request } from 'playwright-core';
import { startChromium } from '../../test/portal/portal-browser';
import type { Platform } from '../../test/platform/start-platform';
import { onPlatform } from '../flow/on-platform';
import { percentile } from '../flow/percentile';

export const description =
  'the portal in Chromium: script, first paint, interactions with 5,000 deliveries, shift of the layout, requests at rest [--deliveries N] [--rest SECONDS]';

/** The account with the deliveries. */
const BUSY: Tier = 'enterprise';
const emailOf = (tier: Tier): string => `bench-${tier}@plimsoll.test`;
const PASSWORD = 'correct horse battery staple';
const CONCURRENCY = 16;
const READ_DEADLINE_MS = 120_000;
const AIMS = {
  scriptKib: 180,
  firstPaintMs: 1_500,
  interactionP95Ms: 100,
  /** While 120,000 pixels are scrolled, a window at a time. Below 20 frames a second, a scroll is not smooth. */
  frameP95Ms: 50,
  layoutShift: 0.05,
  restShare: 0.2,
};
/** Requests per minute of the sessions of an account: at /v1 by tier, at the account API, and for its activity. */
const SESSION_PER_MINUTE: Record<Tier, number> = { open: 60, pro: 120, business: 300, enterprise: 1_000 };
const [ACCOUNT_API_PER_MINUTE, ACTIVITY_PER_MINUTE] = [120, 120];
/** Chromium reports interactions from this duration on. Shorter ones count as this. */
const SHORTEST_MS = 16;

const progress = (line: string): void => console.error(line);

export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: { deliveries: { type: 'string', default: '5000' }, rest: { type: 'string', default: '60' } },
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
  const endpoints = new Map<Tier, string>();
  for (const tier of TIERS) {
    const endpoint = await seed(platform, tier, url, tier === BUSY ? count : 1);
    if (endpoint) endpoints.set(tier, endpoint);
  }
  const endpoint = endpoints.get(BUSY)!;
  const { origin } = new URL(platform.baseUrl);
  const first = await firstPage(browser, origin);
  const page = await signedIn(browser, origin, BUSY);
  const interactions = await interact(page, `${origin}/portal/webhooks/${endpoint}`, count);
  const layoutShift = {
    ...(await shifts(page, origin, BUSY, pagesOf(endpoint))),
    ...(await shifts(await signedIn(browser, origin, 'open'), origin, 'open', PAGES)),
  };
  const rest = await atRest(browser, origin, endpoints, restSeconds);
  return summarise(first, interactions, layoutShift, rest, count);
}

/** Creates an account with a key, and sends tests to an endpoint of it. Each is a delivery. @returns the id of the endpoint */
async function seed(platform: Platform, tier: Tier, url: string, count: number): Promise<string | undefined> {
  const key = generateApiKey('demo', randomBytes);
  await platform.admin(
    'ensure-demo',
    '--tier',
    tier,
    '--email',
    emailOf(tier),
    '--key',
    key,
    '--password',
    PASSWORD,
    ...(tier === BUSY ? ['--per-minute', '1000000'] : []),
  );
  if (tier === 'open') return undefined;
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
globalThis.interactions = []; globalThis.shift = 0; globalThis.shifted = [];
const nameOf = (node) => node ? [node.nodeName, node.getAttribute?.('aria-label') ?? node.textContent?.slice(0, 40)].join(' ') : 'removed';
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (entry.interactionId) interactions.push(entry.duration); })
  .observe({ type: 'event', durationThreshold: ${SHORTEST_MS}, buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
  globalThis.shift += entry.value;
  globalThis.shifted.push({ value: entry.value, of: entry.sources.map(({ node, previousRect, currentRect }) => nameOf(node) + ' from ' + previousRect.y + ' to ' + currentRect.y) });
} })
  .observe({ type: 'layout-shift', buffered: true });`;

async function signedIn(browser: Browser, origin: string, tier: Tier): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1_440, height: 900 } })).newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(`${origin}/portal/log-in`);
  await page.getByLabel('E-mail').fill(emailOf(tier));
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
  frameP95Ms: number;
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
  if ((await rows()) < count)
    progress(`only ${await rows()} deliveries were read: ${await page.getByRole('alert').allInnerTexts()}`);
  await page.evaluate('scrollTo(0, 0)');
  const frames = await page.evaluate<number[]>(`new Promise((done) => {
    const frames = [];
    let last = performance.now(), y = 0;
    const frame = (now) => {
      frames.push(now - last); last = now; y += 900; scrollTo(0, y);
      if (y < 120000) requestAnimationFrame(frame); else { scrollTo(0, 0); done(frames); }
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
    frameP95Ms: Number(percentile(frames, 0.95).toFixed(1)),
    longestFrameMs: Number(Math.max(...frames).toFixed(1)),
  };
}

const PAGES = [
  '/',
  '/positions',
  '/keys',
  '/webhooks',
  '/events',
  '/requests',
  '/usage',
  '/account',
  '/try-it',
];
const pagesOf = (endpoint: string): string[] => [...PAGES, `/webhooks/${endpoint}`];
const WIDTHS = [360, 768, 1_440];
/** After its last request, a page may still show what it read. */
const SETTLED_MS = 500;

/** The shift of the layout of each page while it loads, in the window where it is largest. */
async function shifts(
  page: Page,
  origin: string,
  tier: Tier,
  addresses: readonly string[],
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const address of addresses) {
    const name = `${tier} ${address.replace(/(?<=webhooks\/).+/, ':id')}`;
    const values: number[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${origin}/portal${address}`);
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(SETTLED_MS);
      values.push(await page.evaluate<number>('shift'));
      const shifted = await page.evaluate<object[]>('shifted');
      if (shifted.length > 0) progress(`${name}, ${width} px: ${JSON.stringify(shifted)}`);
    }
    found[name] = Number(Math.max(...values).toFixed(4));
  }
  return found;
}

/** The largest share of a window that each page of each tier uses while nothing happens. */
async function atRest(
  browser: Browser,
  origin: string,
  endpoints: ReadonlyMap<Tier, string>,
  seconds: number,
): Promise<Record<string, number>> {
  const pages: { name: string; tier: Tier; page: Page; counts: Counts }[] = [];
  for (const tier of TIERS) {
    const context = (await signedIn(browser, origin, tier)).context();
    const endpoint = endpoints.get(tier);
    for (const address of [
      '/',
      '/positions',
      '/requests',
      '/usage',
      '/webhooks',
      ...(endpoint ? [`/webhooks/${endpoint}`] : []),
    ]) {
      const page = await context.newPage();
      await page.goto(`${origin}/portal${address}`);
      await page.waitForLoadState('networkidle');
      const name = `${tier} ${endpoint ? address.replace(endpoint, ':id') : address}`;
      pages.push({ name, tier, page, counts: countRequests(page) });
    }
  }
  progress(`${pages.length} pages at rest`);
  for (const { counts } of pages) Object.assign(counts, { account: 0, activity: 0, api: 0 });
  await pages[0]!.page.waitForTimeout(seconds * 1_000);
  const perMinute = 60 / seconds;
  return Object.fromEntries(
    pages.map(({ name, tier, counts }) => {
      const share = Math.max(
        (counts.account * perMinute) / ACCOUNT_API_PER_MINUTE,
        (counts.activity * perMinute) / ACTIVITY_PER_MINUTE,
        (counts.api * perMinute) / SESSION_PER_MINUTE[tier],
      );
      return [name, Number(share.toFixed(3))];
    }),
  );
}

interface Counts {
  account: number;
  activity: number;
  api: number;
}

function countRequests(page: Page): Counts {
  const counts: Counts = { account: 0, activity: 0, api: 0 };
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/account/v1/activity') counts.activity += 1;
    else if (pathname.startsWith('/account/')) counts.account += 1;
    else if (pathname.startsWith('/v1/')) counts.api += 1;
  });
  return counts;
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
    frameP95Ms: interactions.frameP95Ms,
    layoutShift: Math.max(...Object.values(layoutShift)),
    restShare: Math.max(...Object.values(rest)),
  };
  const passed =
    interactions.rows >= deliveries &&
    results.restShare < AIMS.restShare &&
    (Object.keys(AIMS) as (keyof typeof AIMS)[]).every((name) => results[name] <= AIMS[name]);
  return { bench: 'portal', deliveries, results, aims: AIMS, interactions, layoutShift, rest, passed };
}
