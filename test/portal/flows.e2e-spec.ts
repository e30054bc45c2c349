import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@plimsoll/testing';
import type { Browser, Page } from 'playwright-core';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { PortalUser, becomesTrue, startChromium } from './portal-browser';

const EMAIL = 'lise@example.com';
const PASSWORD = 'correct horse battery staple';
/** A window of a limit ends within a minute. */
const WINDOW_MS = 75_000;
/** The browser logs the faults that the tests cause. */
const EXPECTED =
  /status of (400|401|403|409|429|502|503)|ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)|WebSocket/;

/** A step of the main path, open in a page of its own. */
interface Flow {
  name: string;
  address: string;
  /** Waits until the page can send, and fills in its form. */
  fill: (page: Page) => Promise<void>;
  send: (page: Page) => Promise<void>;
  /** Waits until the step is complete. */
  done: (page: Page) => Promise<void>;
}

interface OpenFlow {
  flow: Flow;
  page: Page;
}

/** Views by their link in the navigation, apart from those that a page shows before it is tested. */
const VIEWS: readonly (readonly [link: string | RegExp, heading: string])[] = [
  ['Positions', 'Positions'],
  ['Whales', 'Whales'],
  ['Keys', 'API keys'],
  ['Webhooks', 'Webhooks'],
  ['Events', 'Events'],
  ['Requests', 'Requests'],
  ['Usage', 'Usage'],
  [/business plan/i, 'Account'],
];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last();

describe('the main path with a fault in the middle of each step', () => {
  const received = { status: 200 };
  let receiver: Server;
  let url: string;
  let platform: Platform;
  let origin: string;
  let browser: Browser;
  let lise: PortalUser;
  const errors: string[] = [];
  const faults: string[] = [];

  const dialog = async (page: Page, name: RegExp): Promise<void> => {
    await page.getByRole('heading', { name }).waitFor();
    await button(page, /secret/.test(name.source) ? 'I stored the secret' : 'I stored the key').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  /** Sends a request of the account, as its pages do. */
  const post = <T>(path: string, body: object = {}): Promise<T> =>
    lise.page.evaluate(
      async ([to, content]) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(to, { method: 'POST', headers, body: JSON.stringify(content) });
        if (!response.ok) throw new Error(`${to}: ${response.status} ${await response.text()}`);
        return response.json();
      },
      [path, body] as const,
    ) as Promise<T>;

  /** Every step of a signed-in user, with a key, an endpoint and a failed delivery of its own. */
  async function flows(fault: string): Promise<Flow[]> {
    const { key } = await post<{ key: { id: string } }>('/account/v1/keys', { name: `old ${fault}` });
    const { webhook } = await post<{ webhook: { id: string } }>('/v1/webhooks', {
      url,
      events: ['test.ping'],
    });
    received.status = 503;
    const { deliveryId } = await post<{ deliveryId: string }>(`/v1/webhooks/${webhook.id}/test`);
    received.status = 200;
    const endpoint = `/webhooks/${webhook.id}`;
    const shows = (name: string) => (page: Page) => button(page, name).waitFor();
    return [
      {
        name: 'create a key',
        address: '/keys?dialog=create',
        fill: (page) => page.getByLabel('Name').fill(`new ${fault}`),
        send: (page) => button(page, 'Create key').click(),
        done: (page) => dialog(page, new RegExp(`Key “new ${fault}”`)),
      },
      {
        name: 'add an endpoint',
        address: '/webhooks?dialog=create',
        fill: (page) => page.getByLabel('URL').fill(url),
        send: (page) => button(page, 'Add endpoint').click(),
        done: (page) => dialog(page, /Signing secret/),
      },
      {
        name: 'send a test',
        address: endpoint,
        fill: shows('Send test'),
        send: (page) => button(page, 'Send test').click(),
        done: (page) => page.getByText('The test arrived').waitFor(),
      },
      {
        name: 'retry a delivery',
        address: `${endpoint}?delivery=${deliveryId}`,
        fill: (page) => page.getByText('1. 503').waitFor(),
        send: (page) => button(page, 'Retry').click(),
        done: (page) => page.getByText('2. 200').waitFor(),
      },
      {
        name: 'rotate the secret',
        address: `${endpoint}?dialog=rotate`,
        fill: (page) => page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).waitFor(),
        send: (page) => page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click(),
        done: (page) => dialog(page, /Signing secret/),
      },
      {
        name: 'revoke a key',
        address: `/keys?dialog=revoke&id=${key.id}`,
        fill: shows('Revoke key'),
        send: (page) => button(page, 'Revoke key').click(),
        done: async (page) => {
          await page.getByRole('dialog').waitFor({ state: 'detached' });
          await page.getByRole('row', { name: new RegExp(`old ${fault} .*revoked`) }).waitFor();
        },
      },
    ];
  }

  /** Opens a step in a page, ready to be sent. */
  async function openOne(flow: Flow): Promise<OpenFlow> {
    const page = await lise.context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => errors.push(`${flow.name}: ${error.message}`));
    page.on('console', (line) => line.type() === 'error' && errors.push(`${flow.name}: ${line.text()}`));
    await page.goto(`${origin}/portal${flow.address}`);
    await flow.fill(page);
    return { flow, page };
  }

  async function openAll(fault: string): Promise<OpenFlow[]> {
    const opened: OpenFlow[] = [];
    for (const flow of await flows(fault)) opened.push(await openOne(flow));
    return opened;
  }

  /** Sends requests until the window of a limit is full, for at least 20 s more. */
  async function fillWindow(method: 'GET' | 'POST', path: string): Promise<void> {
    await waitFor(
      async () => {
        const waits = await lise.page.evaluate(
          ([how, to]) =>
            Promise.all(
              Array.from({ length: 50 }, async () => {
                const body = how === 'POST' ? { body: '{}' } : {};
                const headers = { 'content-type': 'application/json' };
                const response = await fetch(to, { method: how, ...body, headers });
                await response.text();
                return response.status === 429 ? Number(response.headers.get('retry-after')) : 0;
              }),
            ),
          [method, path] as const,
        );
        return Math.max(...waits) >= 20;
      },
      { timeoutMs: WINDOW_MS, intervalMs: 1_000, message: `a full window of ${path}` },
    );
  }

  async function each(
    opened: readonly OpenFlow[],
    step: (open: OpenFlow) => Promise<unknown>,
  ): Promise<void> {
    for (const open of opened)
      await step(open).catch((error: Error) => {
        throw new Error(`${open.flow.name}: ${error.message}`, { cause: error });
      });
  }

  /** Other tests have a network again, whatever happens. */
  async function whileOffline(work: () => Promise<void>): Promise<void> {
    await lise.context.setOffline(true);
    try {
      await work();
    } finally {
      await lise.context.setOffline(false);
    }
  }

  async function complete(opened: readonly OpenFlow[]): Promise<void> {
    await each(opened, async ({ flow, page }) => {
      await flow.send(page);
      await flow.done(page);
    });
    await each(opened, ({ page }) => page.close());
  }

  /** Opens a page that has read nothing that the other views show. */
  async function openTryIt(): Promise<PortalUser> {
    const user = await lise.another();
    await user.goto('/try-it');
    await user.page.getByRole('button', { name: 'Send request' }).waitFor();
    await user.page.waitForLoadState('networkidle');
    return user;
  }

  async function signUp(user: PortalUser, email: string): Promise<void> {
    await user.page.getByLabel('E-mail').fill(email);
    await user.page.getByLabel('Password').fill(PASSWORD);
    await button(user.page, 'Create account').click();
  }

  async function logIn(page: Page): Promise<void> {
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Log in').click();
  }

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(received.status).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    [platform, browser] = await Promise.all([startOwnPlatform(), startChromium()]);
    origin = new URL(platform.baseUrl).origin;
    lise = await PortalUser.open(browser, origin);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    receiver.close();
  }, 60_000);

  it('signs up after the browser was offline, and after a restart of the gateway', async () => {
    const { page, context } = lise;
    const { gateway } = platform.services;
    await lise.goto('/sign-up');
    await page.getByLabel('E-mail').waitFor();
    await context.setOffline(true);
    await signUp(lise, EMAIL);
    await page.getByText('Plimsoll cannot be reached').waitFor();
    await context.setOffline(false);
    expect(await page.getByLabel('E-mail').inputValue()).toBe(EMAIL);
    await gateway.stop();
    await button(page, 'Create account').click();
    await page.getByText('Plimsoll cannot be reached').waitFor();
    await gateway.start();
    await button(page, 'Create account').click();
    await lise.heading('Make your first call');
    await platform.admin('accounts', 'set-tier', '--email', EMAIL, '--tier', 'business');
    await lise.page.reload();
    await page
      .getByText(/business plan/i)
      .first()
      .waitFor();
  }, 120_000);

  it('goes on after the browser was offline', async () => {
    const opened = await openAll('offline');
    await whileOffline(() =>
      each(opened, async ({ flow, page }) => {
        await flow.send(page);
        await page.getByText('Plimsoll cannot be reached').first().waitFor();
      }),
    );
    await complete(opened);
  }, 180_000);

  it('goes on after a restart of the gateway', async () => {
    const opened = await openAll('restart');
    await platform.services.gateway.kill9();
    try {
      await each(opened, async ({ flow, page }) => {
        await flow.send(page);
        await page.getByText('Plimsoll cannot be reached').first().waitFor();
      });
    } finally {
      await platform.services.gateway.start();
    }
    await complete(opened);
  }, 180_000);

  it('goes on after a log-in, where the session had ended', async () => {
    for (const flow of await flows('session')) {
      // Pages that are open meanwhile would find the end of the session, too.
      const open = await openOne(flow);
      await lise.context.clearCookies();
      await each([open], async ({ page }) => {
        await flow.send(page);
        await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
        await logIn(page);
        await flow.fill(page);
      });
      await complete([open]);
    }
  }, 180_000);

  it('goes on after a limit was reached, and says when', async () => {
    const opened = await openAll('limit');
    const visitor = await PortalUser.open(browser, origin);
    await visitor.goto('/sign-up');
    await visitor.page.getByLabel('E-mail').waitFor();
    const says = async (page: Page): Promise<void> => {
      await page.getByText('Too many requests').first().waitFor();
      await page
        .getByText(/Possible again in \d+ s/)
        .first()
        .waitFor();
    };
    const sendAll = (some: readonly OpenFlow[]) =>
      Promise.all(
        some.map(async ({ flow, page }) => {
          await flow.send(page);
          await says(page);
        }),
      );
    const ofKeys = opened.filter(({ flow }) => flow.name.endsWith('key'));
    await fillWindow('GET', '/v1/status');
    await sendAll(opened.filter((open) => !ofKeys.includes(open)));
    await fillWindow('GET', '/account/v1/session');
    await sendAll(ofKeys);
    await fillWindow('POST', '/account/v1/sign-up');
    await signUp(visitor, 'marie@example.com');
    await says(visitor.page);
    await each([...opened, { flow: { name: 'sign up' } as Flow, page: visitor.page }], ({ page }) =>
      page
        .getByText(/Possible again in/)
        .first()
        .waitFor({ state: 'detached', timeout: WINDOW_MS }),
    );
    await complete(opened);
    await button(visitor.page, 'Create account').click();
    await visitor.heading('Make your first call');
    await visitor.context.close();
  }, 240_000);

  it('keeps every view while the browser is offline, and says so', async () => {
    const user = await openTryIt();
    // The programs of all pages are loaded when the browser is idle.
    await becomesTrue(
      user.page,
      `['positions-page', 'keys-page', 'account-page', 'usage-page'].every((name) =>
        performance.getEntriesByType('resource').some((entry) => entry.name.includes(name)))`,
      'the programs of the pages are loaded',
    );
    await whileOffline(async () => {
      for (const [link, heading] of VIEWS) {
        await user.page.getByRole('link', { name: link }).first().click();
        await user.heading(heading);
        await user.page.getByText('This browser is offline').waitFor();
        await user.page.getByText('Plimsoll cannot be reached').first().waitFor();
        faults.push(
          ...(await user.faults(`offline-${heading.toLowerCase().replaceAll(' ', '-')}`, [360, 1_440])),
        );
      }
    });
    await user.page.getByText('This browser is offline').waitFor({ state: 'detached' });
    await user.page.getByText('Plimsoll cannot be reached').first().waitFor({ state: 'detached' });
    errors.push(...user.errors);
    await user.page.close();
  }, 180_000);

  it('shows that it reads in every view', async () => {
    const user = await openTryIt();
    const held: (() => void)[] = [];
    const reads = /\/(account\/v1|v1|openapi\.json)/;
    await user.page.route(reads, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => undefined);
    });
    // The catalogue of events waits for nothing.
    for (const [link, heading] of VIEWS.filter(([name]) => name !== 'Events')) {
      await user.page.getByRole('link', { name: link }).first().click();
      await user.heading(heading);
      await user.page.getByRole('status', { name: 'Loading' }).first().waitFor();
      faults.push(...(await user.violations(`loading-${heading.toLowerCase().replaceAll(' ', '-')}`)));
    }
    for (const release of held) release();
    await user.page.unroute(reads);
    await user.page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    errors.push(...user.errors);
    await user.page.close();
  }, 120_000);

  it('says in every view that a limit is reached', async () => {
    const user = await openTryIt();
    const ofApi = VIEWS.filter(([, heading]) =>
      ['Positions', 'Whales', 'Webhooks', 'Events'].includes(heading),
    );
    const ofAccount = VIEWS.filter((view) => !ofApi.includes(view));
    for (const [path, views] of [
      ['/v1/status', ofApi],
      ['/account/v1/session', ofAccount],
    ] as const) {
      await fillWindow('GET', path);
      for (const [link, heading] of views) {
        await user.page.getByRole('link', { name: link }).first().click();
        await user.heading(heading);
        await user.page.getByText('Too many requests').first().waitFor();
        await user.page
          .getByText(/Possible again in \d+ s/)
          .first()
          .waitFor();
      }
    }
    errors.push(...user.errors);
    await user.page.close();
  }, 180_000);

  it('is accessible in these states, and has no other errors', () => {
    expect(faults).toEqual([]);
    expect([...errors, ...lise.errors].filter((error) => !EXPECTED.test(error))).toEqual([]);
  });
});
