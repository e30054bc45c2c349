import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { generateApiKey } from '@plimsoll/access';
import { createTestFolder } from '@plimsoll/testing';
import type { Browser } from 'playwright-core';
import { request } from 'undici';
import { MailServer } from '../../apps/gateway/test/identity/mail-server';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { PortalUser, becomesTrue, setHidden, startChromium } from './portal-browser';

const PASSWORD = 'correct horse battery staple';
const MOST_SCRIPT_BYTES = 180 * 1_024;
/** The browser logs refused requests. These are what the pages wait for. */
const EXPECTED = /status of (401|403)/;

describe('the portal', () => {
  const mails = new MailServer();
  let platform: Platform;
  let origin: string;
  let browser: Browser;
  let ada: PortalUser;
  /** The faults that axe found on all pages. */
  const faults: string[] = [];

  const look = async (user: PortalUser, name: string): Promise<void> => {
    faults.push(...(await user.faults(name)));
  };

  beforeAll(async () => {
    await mails.start();
    [platform, browser] = await Promise.all([
      startOwnPlatform({ SMTP_URL: mails.url, MAIL_FROM: 'Plimsoll <no-reply@plimsoll.test>' }),
      startChromium(),
    ]);
    origin = new URL(platform.baseUrl).origin;
    ada = await PortalUser.open(browser, origin);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    await mails.stop();
  }, 60_000);

  it('is served from the root, and every address below /portal is one of its pages', async () => {
    const root = await request(`${origin}/`);
    expect([root.statusCode, root.headers['location']]).toEqual([302, '/portal']);
    for (const address of ['/portal', '/portal/', '/portal/keys', '/portal/a/b?c=d']) {
      const { statusCode, headers, body } = await request(origin + address);
      expect([address, statusCode, headers['cache-control']]).toEqual([address, 200, 'no-cache']);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(await body.text()).toContain('<div id="root">');
    }
    const missing = await request(`${origin}/portal/assets/missing.js`);
    expect([missing.statusCode, await missing.body.json()]).toMatchObject([404, { code: 'route_not_found' }]);
  });

  it('has files that never change, compressed with brotli and gzip', async () => {
    const page = await (await request(`${origin}/portal`)).body.text();
    const script = /src="(\/portal\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const as = async (encoding: string) => {
      const { headers, body } = await request(origin + script, { headers: { 'accept-encoding': encoding } });
      return { headers, body: Buffer.from(await body.arrayBuffer()) };
    };
    const plain = await as('identity');
    const brotli = await as('gzip, br');
    const gzip = await as('gzip');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect([brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect((await request(`${origin}/portal/LICENCES.txt`)).statusCode).toBe(200);
  });

  it('leads from the sign-up to the first request, by keyboard alone', async () => {
    const { page } = ada;
    const script: number[] = [];
    page.on('response', async (response) => {
      if (response.request().resourceType() === 'script')
        script.push((await response.request().sizes()).responseBodySize);
    });
    await ada.goto('');
    await ada.heading('Log in');
    await look(ada, 'log-in');
    expect(script.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_SCRIPT_BYTES);

    await ada.tabTo('link', 'Sign up');
    await ada.press('Enter');
    await ada.heading('Create an account');
    await look(ada, 'sign-up');
    await ada.type('E-mail', 'ada@example.com');
    await ada.type('Password', PASSWORD);
    await ada.press('Enter');
    await ada.heading('Confirm your address');
    await look(ada, 'code');
    const mail = await mails.mailTo('ada@example.com');
    expect(mail.text).toContain(`${origin}/portal/confirm-email#`);
    await ada.type('Code', await mails.codeTo('ada@example.com'));
    await ada.press('Enter');
    await ada.heading('Make your first call');
    await look(ada, 'home-new');

    await ada.tabTo('button', 'Create a key');
    await ada.press('Enter');
    await ada.heading('Create a key');
    await look(ada, 'key-form');
    await ada.type('Name', 'production');
    await ada.press('Enter');
    await ada.heading('Key “production”');
    await look(ada, 'key-shown');
    const key = /psk_live_\w{38}/.exec(await page.getByRole('dialog').innerText())?.[0] ?? '';
    await ada.tabTo('button', 'I stored the key');
    await ada.press('Enter');
    await page.getByText('Waiting for your first request').waitFor();
    await look(ada, 'home-waiting');

    await ada.tabTo('tab', 'curl');
    await ada.press('ArrowRight');
    const code = await page.getByRole('region', { name: 'TypeScript' }).innerText();
    expect(code).toContain(key);
    const folder = await createTestFolder();
    const file = path.join(folder.path, 'first-call.mts');
    await writeFile(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 20_000 });
    expect(stdout).toMatch(/^200 /);
    await folder.remove();
    await page.getByText('Request received').waitFor();
    await page.getByRole('link', { name: /GET \/v1\/prices/ }).waitFor();
    await look(ada, 'home');
  }, 180_000);

  it('lists, rotates and revokes keys, by keyboard alone', async () => {
    const { page } = ada;
    await ada.goto('/keys');
    await ada.heading('API keys');
    await page.getByText('1 of 1 in use').waitFor();
    await look(ada, 'keys');
    await ada.goto('/keys?dialog=create');
    await page.getByLabel('Name').fill('second');
    await page.getByRole('button', { name: 'Create key', exact: true }).last().click();
    await page.getByText('Your plan has no more keys').waitFor();
    await look(ada, 'keys-quota');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await ada.choose('button', 'Rotate production');
    await ada.heading('Rotate “production”');
    await look(ada, 'key-rotate');
    await ada.choose('button', 'Rotate key');
    await ada.heading('Key “production”');
    const key = /psk_live_\w{38}/.exec(await page.getByRole('dialog').innerText())?.[0] ?? '';
    await ada.choose('button', 'I stored the key');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke production' }).nth(1).waitFor();
    await page.getByText('1 of 1 in use').waitFor();
    const call = () => request(`${platform.baseUrl}/status`, { headers: { 'x-api-key': key } });
    expect((await call()).statusCode).toBe(200);

    await ada.choose('button', 'Revoke production');
    await ada.heading('Revoke “production”');
    await look(ada, 'key-revoke');
    await ada.choose('button', 'Revoke key');
    await page.getByRole('row', { name: /revoked/ }).waitFor();
    expect((await call()).statusCode).toBe(401);
  }, 120_000);

  it('lists the requests, and finds one by its id', async () => {
    const { page } = ada;
    await ada.goto('/requests');
    await page
      .getByRole('row', { name: /200 GET \/v1\/prices/ })
      .first()
      .waitFor();
    await look(ada, 'requests');
    await page.getByLabel('Response').selectOption('4xx');
    await page.getByText('No request matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    const name = await page
      .getByRole('button', { name: /GET \/v1\/prices, details/ })
      .first()
      .getAttribute('aria-label');
    const id = /details of (\S+)/.exec(name ?? '')?.[1] ?? '';
    await page.getByLabel('Request id').fill(id);
    await ada.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/^production/)
      .waitFor();
    await look(ada, 'request');
    await ada.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await ada.press('Control+k');
    await page.getByRole('searchbox', { name: 'Search' }).fill(id);
    await page.getByRole('menuitem', { name: /request id/ }).click();
    await page
      .getByRole('dialog')
      .getByText(/^production/)
      .waitFor();
    await ada.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await ada.goto('/requests?open=unknown');
    await page.getByText('The log has no such request').waitFor();
    await look(ada, 'request-unknown');
  }, 60_000);

  it('shows the request that was chosen, also when clients send its id again', async () => {
    const { page } = ada;
    await page.evaluate(async () => {
      for (const path of ['/v1/status', '/v1/alerts'])
        await (await fetch(path, { headers: { 'x-request-id': 'again.7' } })).text();
    });
    await ada.goto('/requests?from=pages');
    await page.getByRole('button', { name: 'GET /v1/status, details of again.7' }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'GET /v1/status' }).waitFor();
    // A list without it.
    await page.goto(`${page.url()}&status=5xx`);
    await page.getByText('No request matches.').waitFor();
    await page.getByRole('dialog').getByRole('heading', { name: 'GET /v1/status' }).waitFor();
  }, 60_000);

  it('reads a list again when it has something new, and nothing while the page is hidden', async () => {
    const viewer = await PortalUser.open(browser, origin);
    const { page } = viewer;
    await page.clock.install();
    await viewer.goto('/log-in');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await viewer.heading(/Home|first call/);
    const reads: string[] = [];
    page.on('request', (sent) => {
      const { pathname } = new URL(sent.url());
      if (/^\/(account\/)?v1\//.test(pathname)) reads.push(pathname);
    });
    const activity = () => page.waitForResponse((response) => response.url().endsWith('/activity'));
    const send = (id: string) =>
      ada.page.evaluate(
        async (requestId) => (await fetch('/v1/status', { headers: { 'x-request-id': requestId } })).text(),
        id,
      );
    await viewer.goto('/requests?from=pages');
    await page
      .getByRole('row', { name: /GET \/v1\/alerts/ })
      .first()
      .waitFor();
    await activity();
    await send('live.1');
    await page.getByRole('button', { name: /details of live\.1$/ }).waitFor();

    await setHidden(page, true);
    await send('live.2');
    reads.length = 0;
    await page.clock.runFor(180_000);
    expect(reads).toEqual([]);
    const shown = activity();
    await setHidden(page, false);
    await shown;
    await page.getByRole('button', { name: /details of live\.2$/ }).waitFor();
    expect(viewer.errors).toEqual([]);
    await viewer.context.close();
  }, 60_000);

  it('has a menu in narrow windows, which keeps the focus until it closes', async () => {
    const { page } = ada;
    await page.setViewportSize({ width: 360, height: 740 });
    await ada.goto('/keys');
    await ada.heading('API keys');
    await ada.tabTo('button', 'Menu');
    await ada.press('Enter');
    await page.getByRole('dialog').getByRole('link', { name: 'Requests' }).waitFor();
    await ada.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus returns in the frame after the dialog has left.
    await becomesTrue(page, "document.activeElement.textContent === 'Menu'", 'the menu has the focus');
    await ada.press('Enter');
    await ada.tabTo('link', 'Requests');
    await ada.press('Enter');
    await ada.heading('Requests');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await ada.tabTo('button', 'Filters');
    expect(await page.getByLabel('Response').isVisible()).toBe(false);
    await ada.press('Enter');
    await page.getByLabel('Response').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    faults.push(...(await ada.faults('filters', [360])));
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').waitFor();
    faults.push(...(await ada.faults('menu', [360])));
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.setViewportSize({ width: 1_440, height: 900 });
  }, 60_000);

  it('shows usage and sessions, and logs out everywhere else', async () => {
    await ada.goto('/usage');
    await ada.page.getByRole('cell', { name: 'GET /v1/prices' }).waitFor();
    await ada.page
      .getByRole('cell', { name: /production/ })
      .first()
      .waitFor();
    await look(ada, 'usage');
    await ada.goto('/account');
    await ada.page.getByText('this browser').waitFor();
    await look(ada, 'account');
    const other = await PortalUser.open(browser, origin);
    await other.goto('/log-in?next=/portal/keys');
    await other.page.getByLabel('E-mail').fill('ada@example.com');
    await other.page.getByLabel('Password').fill(PASSWORD);
    await other.page.getByRole('button', { name: 'Log in' }).click();
    await other.heading('API keys');
    await ada.choose('button', 'End all others');
    await ada.page.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' });
    await other.page.getByRole('link', { name: 'Requests' }).click();
    await other.heading('Log in');
    await other.context.close();
    await ada.page.getByText('session ended').first().waitFor();
    await ada.goto('/nothing');
    await ada.heading('There is no such page');
    await look(ada, 'not-found');
  }, 60_000);

  it('sends a request with the session, and leads to its row in the log', async () => {
    const { page } = ada;
    await ada.goto('/try-it');
    // The field begins with the example of the document.
    await ada.choose('button', 'Send request');
    await page.getByText('200', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: /\/v1\/prices/ }).innerText()).toContain('"prices"');
    await look(ada, 'try-it');
    await page.getByRole('link', { name: /^req_/ }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'GET /v1/prices' }).waitFor();
  }, 60_000);

  it('shows nothing of this account to another one', async () => {
    const eve = await PortalUser.open(browser, origin);
    await eve.signUp('eve@example.com', PASSWORD);
    await eve.heading('Confirm your address');
    // The link of the mail, in place of its code.
    await eve.goto(`/confirm-email#${await mails.codeTo('eve@example.com')}`);
    await eve.heading('Confirm your address');
    await look(eve, 'confirm-email');
    await eve.page.getByRole('button', { name: 'Confirm address' }).click();
    await eve.heading('Address confirmed');
    await eve.goto('/keys');
    await eve.page.getByLabel('E-mail').fill('eve@example.com');
    await eve.page.getByLabel('Password').fill(PASSWORD);
    await eve.page.getByRole('button', { name: 'Log in' }).click();
    await eve.page.getByText('No keys yet').waitFor();
    await look(eve, 'keys-empty');
    await eve.goto('/requests');
    await eve.page.getByText('No requests in the last seven days').waitFor();
    await look(eve, 'requests-empty');
    await eve.goto('/usage');
    await eve.page.getByText('No requests in the last 30 days').first().waitFor();
    await look(eve, 'usage-empty');
    await eve.goto('/events');
    await eve.page.getByText('Webhooks begin with the pro plan').waitFor();
    await look(eve, 'events-plan');
    expect(await eve.page.content()).not.toContain('production');
    expect(eve.errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
    await eve.context.close();
  }, 120_000);

  it('leads an ended session to the log-in, and back', async () => {
    await ada.goto('/usage');
    // No request may be under way, which would lead to the log-in before the link does.
    await ada.page
      .getByRole('cell', { name: /production/ })
      .first()
      .waitFor();
    await ada.page.getByRole('cell', { name: 'GET /v1/prices' }).waitFor();
    await ada.context.clearCookies();
    await ada.page.getByRole('link', { name: 'Webhooks' }).click();
    await ada.heading('Log in');
    await ada.page.getByLabel('E-mail').fill('ada@example.com');
    await ada.page.getByLabel('Password').fill('wrong password');
    await ada.page.getByRole('button', { name: 'Log in' }).click();
    await ada.page.getByText('Wrong e-mail address or password').waitFor();
    await look(ada, 'log-in-refused');
    await ada.page.getByLabel('Password').fill(PASSWORD);
    await ada.page.getByRole('button', { name: 'Log in' }).click();
    await ada.heading('Webhooks');
    await ada.page.getByRole('button', { name: 'Log out' }).click();
    await ada.heading('Log in');
  }, 60_000);

  it('sets a new password with the link of a mail', async () => {
    await ada.goto('/reset-password');
    await look(ada, 'reset-request');
    await ada.page.getByLabel('E-mail').fill('ada@example.com');
    await ada.page.getByRole('button', { name: 'Send the link' }).click();
    await ada.heading('Read your mail');
    await ada.page.goto('about:blank');
    await ada.goto(`/reset-password#${await mails.codeTo('ada@example.com', 1)}`);
    await ada.heading('Choose a new password');
    await look(ada, 'reset');
    await ada.page.getByLabel('New password').fill(`${PASSWORD} again`);
    await ada.page.getByRole('button', { name: 'Change the password' }).click();
    await ada.heading('Password changed');
  }, 60_000);

  it('fills in the log-in of a demo account, as npm start prints it', async () => {
    const demo = 'demo-open@plimsoll.local';
    const key = generateApiKey('demo', randomBytes);
    const account = ['--tier', 'open', '--email', demo, '--key', key];
    await platform.admin('ensure-demo', ...account, '--password', 'a demo password');
    const visitor = await PortalUser.open(browser, origin);
    await visitor.goto(`/log-in#${demo}:${encodeURIComponent('a demo password')}`);
    await visitor.tabTo('button', 'Log in');
    await visitor.press('Enter');
    await visitor.heading('Make your first call');
    await visitor.context.close();
  }, 60_000);

  it('is accessible on every page in both themes, and keeps its policy', () => {
    expect(faults).toEqual([]);
    expect(ada.errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
  });
});
