import { setPrice } from '@plimsoll/devnet';
import { findFreePort } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import type { Browser } from 'playwright-core';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { PortalUser, startChromium } from './portal-browser';
import { SHOCKED_USD, borrowerAt } from './scene';
import { StaticHost } from './static-host';
import { SwitchedReceiver } from './switched-receiver';

const PASSWORD = 'correct horse battery staple';
/** The second attempt begins about a minute after the first. */
const RETRY_MS = 100_000;
/** A read that fails is sent again twice. */
const ATTEMPTS = 3;
/** The browser logs the faults that the tests cause. */
const EXPECTED =
  /status of (401|403|429|503)|ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)/;

describe('the portal when something fails', () => {
  const receiver = new SwitchedReceiver();
  let platform: Platform;
  let ownHost: StaticHost;
  let otherHost: StaticHost;
  let origin: string;
  let browser: Browser;
  let hedy: PortalUser;
  /** Address of the page of the endpoint, and of a delivery. */
  let endpoint = '';
  let delivery = '';
  const faults: string[] = [];

  const look = async (name: string, user = hedy): Promise<void> => {
    faults.push(...(await user.faults(name)));
  };

  async function signUp(email: string): Promise<PortalUser> {
    const user = await PortalUser.open(browser, origin);
    await user.signUp(email, PASSWORD);
    await user.heading('Make your first call');
    return user;
  }

  async function logIn({ page }: PortalUser, email: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  beforeAll(async () => {
    await receiver.turnOn();
    ownHost = new StaticHost(await findFreePort());
    otherHost = new StaticHost(await findFreePort());
    [platform, browser] = await Promise.all([
      startOwnPlatform({ PORTAL_ORIGIN: ownHost.origin }),
      startChromium(),
    ]);
    origin = new URL(platform.baseUrl).origin;
    await Promise.all([ownHost, otherHost].map((host) => host.start(origin)));
    hedy = await signUp('hedy@example.com');
    await platform.admin('accounts', 'set-tier', '--email', 'hedy@example.com', '--tier', 'pro');
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    await receiver.turnOff();
    ownHost.stop();
    otherHost.stop();
  }, 60_000);

  it('shows the failed attempts of a receiver that is off, and the delivery when it is on again', async () => {
    const { page } = hedy;
    const wallet = borrowerAt(platform.wallets, 1.4).address;
    await hedy.goto('/webhooks');
    const watched = await page.evaluate(async (address) => {
      const response = await fetch('/v1/wallets', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ address }),
      });
      await response.text();
      return response.status;
    }, wallet);
    expect(watched).toBe(201);
    await page.getByRole('button', { name: 'Add the first endpoint' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Add endpoint', exact: true }).last().click();
    await page.getByRole('button', { name: 'I stored the secret' }).click();
    await page.getByRole('link', { name: new RegExp(receiver.url) }).click();
    await hedy.heading(receiver.url);
    endpoint = page.url();

    await receiver.turnOff();
    await setPrice(platform.rpcUrl, platform.devnet, 'WETH', SHOCKED_USD);
    await page
      .getByRole('row', { name: /retrying alert\.created/ })
      .first()
      .waitFor({ timeout: 60_000 });
    await look('endpoint-retrying');
    await page
      .getByRole('button', { name: /alert\.created, details/ })
      .last()
      .click();
    await page.getByRole('dialog').getByText('next attempt').waitFor();
    await page.getByRole('dialog').getByText(/^1\. /).waitFor();
    await look('delivery-retrying');
    delivery = page.url();

    await receiver.turnOn();
    await page.getByRole('dialog').getByText('2. 200').waitFor({ timeout: RETRY_MS });
    await page.getByRole('dialog').getByText('delivered').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('row', { name: /delivered alert\.created/ })
      .first()
      .waitFor();
  }, 240_000);

  it('retries all that was skipped while the endpoint was disabled', async () => {
    const { page } = hedy;
    await page.goto(endpoint);
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
    await setPrice(platform.rpcUrl, platform.devnet, 'WETH', SHOCKED_USD * 0.9);
    await page
      .getByRole('row', { name: /skipped alert\./ })
      .first()
      .waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('button', { name: 'Retry all failed' }).click();
    await hedy.heading('Retry all failed deliveries');
    await look('recover');
    await page.getByRole('button', { name: 'Retry deliveries' }).click();
    await page.getByText(/pending again/).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('row', { name: /skipped alert\./ })
      .first()
      .waitFor({ state: 'detached' });
  }, 120_000);

  it('shows none of it to another account', async () => {
    const eve = await signUp('eve@example.com');
    for (const address of [endpoint, delivery]) {
      await eve.page.goto(address);
      await eve.page
        .getByText(/no such endpoint|Webhooks begin with the pro plan|needs the pro tier/)
        .first()
        .waitFor();
      expect(await eve.page.content()).not.toContain(receiver.url);
    }
    await eve.goto('/requests?from=pages');
    await eve.page
      .getByRole('row', { name: /GET \/v1\/webhooks/ })
      .first()
      .waitFor();
    expect(await eve.page.content()).not.toContain('/v1/wallets');
    await eve.context.close();
  }, 60_000);

  it('leads an ended session back to the open delivery', async () => {
    await hedy.page.goto(delivery);
    await hedy.page.getByText('2. 200').waitFor();
    await hedy.context.clearCookies();
    await hedy.page.getByRole('button', { name: 'Send again' }).click();
    await hedy.heading('Log in');
    await logIn(hedy, 'hedy@example.com');
    await hedy.page.getByText('2. 200').waitFor();
    expect(hedy.page.url()).toBe(delivery);
  }, 60_000);

  it('leads an ended session back to a form, which is sent after the log-in', async () => {
    await hedy.goto('/keys?dialog=create');
    await hedy.page.getByLabel('Name').fill('ended');
    await hedy.context.clearCookies();
    await hedy.page.getByRole('button', { name: 'Create key', exact: true }).last().click();
    await hedy.heading('Log in');
    await logIn(hedy, 'hedy@example.com');
    await hedy.heading('Create a key');
    await hedy.page.getByLabel('Name').fill('after the log-in');
    await hedy.page.getByRole('button', { name: 'Create key', exact: true }).last().click();
    await hedy.heading('Key “after the log-in”');
    await hedy.page.getByRole('button', { name: 'I stored the key' }).click();
  }, 60_000);

  it('keeps a form while the browser is offline, and sends it afterwards', async () => {
    const { page, context } = hedy;
    await hedy.goto('/keys?dialog=create');
    await page.getByLabel('Name').fill('offline');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Create key', exact: true }).last().click();
    await page.getByText('Plimsoll cannot be reached').waitFor();
    await page.getByText('This browser is offline').waitFor();
    await context.setOffline(false);
    await page.getByText('This browser is offline').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('offline');
    await page.getByRole('button', { name: 'Create key', exact: true }).last().click();
    await hedy.heading('Key “offline”');
    await page.getByRole('button', { name: 'I stored the key' }).click();
  }, 60_000);

  it('keeps what it shows while the browser is offline, and says so', async () => {
    const { page, context } = hedy;
    await page.goto(endpoint);
    await page
      .getByRole('row', { name: /delivered/ })
      .first()
      .waitFor();
    await context.setOffline(true);
    await page.getByText('This browser is offline').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Plimsoll cannot be reached').first().waitFor();
    expect(await page.getByRole('row', { name: /delivered/ }).count()).toBeGreaterThan(0);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The test arrived').waitFor();
  }, 60_000);

  it('goes on after a restart of the gateway', async () => {
    const { page } = hedy;
    const { gateway } = platform.services;
    await hedy.goto('/keys?dialog=create');
    await page.getByLabel('Name').fill('restart');
    await gateway.stop();
    await page.getByRole('button', { name: 'Create key', exact: true }).last().click();
    await page.getByText('Plimsoll cannot be reached').waitFor();
    await look('key-form-unreachable');
    await gateway.start();
    await page.getByRole('button', { name: 'Create key', exact: true }).last().click();
    await hedy.heading('Key “restart”');
    await page.getByRole('button', { name: 'I stored the key' }).click();

    await hedy.goto('/requests?from=pages');
    await page.getByRole('row', { name: /POST \/v1\/wallets/ }).waitFor();
    await gateway.kill9();
    await page.getByText('No connection to Plimsoll').waitFor();
    await look('requests-unreachable');
    expect(await page.getByRole('row', { name: /POST \/v1\/wallets/ }).count()).toBe(1);
    await gateway.start();
    await page.getByText('No connection to Plimsoll').waitFor({ state: 'detached' });
  }, 120_000);

  it('works on the host of PORTAL_ORIGIN, and on no other', async () => {
    const user = await PortalUser.open(browser, ownHost.origin);
    await user.goto('/log-in');
    await logIn(user, 'hedy@example.com');
    await user.heading(/Home|first call/);
    await user.page.getByRole('link', { name: 'Webhooks' }).first().click();
    await user.page.getByRole('link', { name: new RegExp(receiver.url) }).click();
    await user.page.getByRole('button', { name: 'Send test' }).click();
    await user.page.getByText('The test arrived').waitFor();
    expect(user.errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
    await user.context.close();

    const other = await PortalUser.open(browser, otherHost.origin);
    await other.goto('/log-in');
    await other.page
      .getByText('Plimsoll cannot be reached')
      .or(other.page.getByLabel('E-mail'))
      .first()
      .waitFor();
    await logIn(other, 'hedy@example.com');
    await other.page.getByText('Plimsoll cannot be reached').waitFor();
    await other.context.close();
  }, 60_000);

  it('says when a limit is reached, and how long it lasts', async () => {
    const ida = await signUp('ida@example.com');
    const statuses = await ida.page.evaluate(async () => {
      const asked = Array.from({ length: 130 }, () =>
        fetch('/account/v1/session').then(async (response) => {
          await response.text();
          return response.status;
        }),
      );
      return Promise.all(asked);
    });
    expect(statuses).toContain(429);
    await ida.page.getByRole('link', { name: 'Usage', exact: true }).first().click();
    await ida.page.getByText('Too many requests').first().waitFor();
    await ida.page
      .getByText(/Possible again in \d+ s/)
      .first()
      .waitFor();
    await look('usage-limited', ida);
    expect(ida.errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
    await ida.context.close();
  }, 60_000);

  it('reads a missing page of older requests again by its button alone, and each page once', async () => {
    const jean = await signUp('jean@example.com');
    const { page } = jean;
    // The log has one row in a second of the requests above a limit.
    await platform.admin('accounts', 'set-tier', '--email', 'jean@example.com', '--tier', 'business');
    await waitFor(
      () => page.evaluate(async () => (await fetch('/v1/status')).headers.get('x-ratelimit-limit') === '300'),
      { message: 'the new limit' },
    );
    await page.evaluate(() =>
      Promise.all(Array.from({ length: 101 }, async () => (await fetch('/v1/status')).text())),
    );
    const reads: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/account/v1/requests') reads.push(searchParams.has('cursor') ? 'older' : 'first');
    });
    const readOlder = (): number => reads.filter((read) => read === 'older').length;
    const older = page.getByRole('button', { name: 'Show older requests' });
    await jean.goto('/requests?from=pages');
    await older.waitFor();
    const isOlder = (url: URL): boolean => url.searchParams.has('cursor');
    await page.route(isOlder, (route) => route.abort('connectionrefused'));
    await older.scrollIntoViewIfNeeded();
    await page.getByText('Plimsoll cannot be reached').waitFor();
    await look('requests-older-unreachable', jean);
    expect(readOlder()).toBe(ATTEMPTS);

    await page.unroute(isOlder);
    await older.click();
    // The button has another name while it reads, so its absence alone does not end the read.
    await page.getByText('Plimsoll cannot be reached').waitFor({ state: 'detached' });
    await older.waitFor({ state: 'detached' });
    expect(readOlder()).toBe(ATTEMPTS + 1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('live', { exact: true }).waitFor();
    expect([reads.at(-1), readOlder()]).toEqual(['first', ATTEMPTS + 1]);
    expect(jean.errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
    await jean.context.close();
  }, 120_000);

  it('is accessible in these states, and keeps its policy', () => {
    expect(faults).toEqual([]);
    expect(hedy.errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
  });
});
