import { readFile } from 'node:fs/promises';
import { Plimsoll } from '@plimsoll/sdk';
import { type SeededWallet, assetListing, setPrice } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import type { Browser, Page } from 'playwright-core';
import { formatHealthFactor, formatProbability, formatUsd } from '../../apps/portal/src/design/format';
import { symbolsOf } from '../../apps/portal/src/positions/held';
import { isSame, modelOf } from '../../apps/portal/src/positions/what-if';
import { type Platform, startOwnPlatform } from '../platform/start-platform';
import { PortalUser, startChromium } from './portal-browser';
import { SHOCKED_USD, borrowerAt } from './scene';

const PASSWORD = 'correct horse battery staple';
const WETH_USD = Number(assetListing('WETH').priceUsd) / 1e8;
/** The browser logs the faults that the tests cause. */
const EXPECTED =
  /status of (400|401|403|404|409|429)|ERR_(INTERNET_DISCONNECTED|FAILED|UNSAFE_PORT)|WebSocket/;

interface Listed {
  wallet: string;
  healthFactor: number | null;
}

interface MonteCarlo {
  horizonDays: number;
  iterations: number;
  seed: number;
  liquidationProbability: number;
  standardError: number;
  upperBound95: number | null;
  percentiles: Record<'p5' | 'p50' | 'p95', { healthFactor: number | null }>;
}

/** Numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('positions in the portal', () => {
  let platform: Platform;
  let browser: Browser;
  let origin: string;
  let joan: PortalUser;
  const faults: string[] = [];

  const look = async (name: string, user = joan): Promise<void> => {
    faults.push(...(await user.faults(name)));
  };

  async function signUp(email: string): Promise<PortalUser> {
    const user = await PortalUser.open(browser, origin);
    await user.signUp(email, PASSWORD);
    await user.heading('Make your first call');
    return user;
  }

  /** Watches wallets as the pages do. Their names are the health factors of the seed. */
  const watch = ({ page }: PortalUser, wallets: readonly SeededWallet[]): Promise<void> =>
    page.evaluate(
      async (all) => {
        for (const body of all) {
          const headers = { 'content-type': 'application/json' };
          const response = await fetch('/v1/wallets', {
            method: 'POST',
            headers,
            body: JSON.stringify(body),
          });
          if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
          await response.text();
        }
      },
      wallets.map(({ address, plan }) => ({ address, label: `seed ${plan.healthFactor ?? 'without debt'}` })),
    );

  const listed = ({ page }: PortalUser, query = ''): Promise<Listed[]> =>
    page.evaluate(async (parameters) => {
      const response = await fetch(`/v1/positions${parameters}`);
      return ((await response.json()) as { positions: Listed[] }).positions;
    }, query);

  const row = (page: Page, name: RegExp | string) => page.getByRole('row', { name });
  /** Opens the page of the position whose wallet is named Northstar. */
  const openNorthstar = async (): Promise<void> => {
    await joan.goto('/positions');
    await row(joan.page, /Northstar/)
      .getByRole('link')
      .click();
  };
  const names = async (page: Page): Promise<string[]> => {
    const texts = await page.getByRole('row', { name: /seed/ }).allInnerTexts();
    return texts.map((text) => /seed (\S+)/.exec(text)?.[1] ?? '');
  };

  beforeAll(async () => {
    [platform, browser] = await Promise.all([startOwnPlatform(), startChromium()]);
    origin = new URL(platform.baseUrl).origin;
    joan = await signUp('joan@example.com');
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  }, 60_000);

  it('begin with a wallet that is watched by keyboard', async () => {
    const { page } = joan;
    const { address } = borrowerAt(platform.wallets, 1.4);
    await joan.choose('link', 'Positions');
    await page.getByText('No wallets yet').waitFor();
    await look('positions-empty');
    await joan.choose('button', 'Watch the first wallet');
    await joan.heading('Watch a wallet');
    await joan.type('Address', '0x1234');
    await joan.press('Enter');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await look('watch-wallet-refused');
    await page.getByLabel('Address', { exact: true }).fill(address);
    await joan.type('Name', 'Northstar');
    await look('watch-wallet');
    await joan.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row(page, /Northstar.*moderate.*1\.[34]\d{2}/).waitFor();
    await page.getByText(/^Block: /).waitFor();
    await look('positions-one');
    await row(page, /Northstar/)
      .getByRole('link')
      .click();
    for (const plan of ['Receipts', 'Simulations'])
      await page.getByText(`${plan} begin with the pro plan.`).waitFor();
    for (const plan of ['Stress scenarios begin', 'Forecasts begin', 'The calculator begins'])
      await page.getByText(`${plan} with the business plan.`).waitFor();
    await look('position-open-plan');
  }, 120_000);

  it('say when the plan watches no more wallets', async () => {
    const { page } = joan;
    const others = platform.wallets.filter(({ plan }) => plan.healthFactor === null).slice(0, 2);
    await watch(joan, others);
    await joan.goto('/positions?dialog=watch');
    await page.getByLabel('Address', { exact: true }).fill(borrowerAt(platform.wallets, 1.9).address);
    await joan.press('Enter');
    await page.getByText('Your plan watches no more wallets').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row(page, /seed without debt.*no debt.*no debt/)
      .first()
      .waitFor();
  }, 60_000);

  it('show any wallet that is looked up', async () => {
    const { page } = joan;
    const { address } = borrowerAt(platform.wallets, 1.05);
    await page.getByLabel('Address or ENS name').fill(address);
    await joan.press('Enter');
    await row(page, /critical.*1\.0[45]\d/).waitFor();
    expect(new URL(page.url()).searchParams.get('wallet')).toBe(address);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row(page, /Northstar/).waitFor();
  }, 60_000);

  it('are sorted by danger, filtered as the address says, and saved as the CSV of the API', async () => {
    const { page } = joan;
    await platform.admin('accounts', 'set-tier', '--email', 'joan@example.com', '--tier', 'enterprise');
    await waitFor(
      () =>
        page.evaluate(
          async () => Number((await fetch('/v1/status')).headers.get('x-ratelimit-limit')) >= 1_000,
        ),
      { message: 'the new tier' },
    );
    const northstar = borrowerAt(platform.wallets, 1.4);
    await watch(
      joan,
      platform.wallets.filter((wallet) => wallet !== northstar && wallet.plan.suppliedUsd > 10),
    );
    await joan.goto('/positions');
    await row(page, /seed 1\.004/)
      .first()
      .waitFor();
    const api = await listed(joan, '?limit=200');
    const shown = await page
      .locator('tbody code[title]')
      .evaluateAll((cells: { title: string }[]) => cells.map(({ title }) => title));
    expect(shown).toEqual(api.map(({ wallet }) => wallet));
    const factors = api.map(({ healthFactor }) => healthFactor ?? Infinity);
    expect(factors).toEqual([...factors].sort((a, b) => a - b));
    await look('positions');

    await page.getByLabel('Level').selectOption('critical');
    await waitFor(
      async () => (await row(page, /critical/).count()) > 0 && (await row(page, /moderate/).count()) === 0,
      { message: 'critical positions' },
    );
    expect(await row(page, /critical/).count()).toBeGreaterThan(3);
    expect(new URL(page.url()).searchParams.get('level')).toBe('critical');
    await page.reload();
    await row(page, /critical/)
      .first()
      .waitFor();
    expect(await row(page, /moderate/).count()).toBe(0);
    const [download, response] = await Promise.all([
      page.waitForEvent('download'),
      page.waitForResponse(
        (each) => each.request().headers()['accept'] === 'text/csv' && each.url().includes('/v1/positions'),
      ),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^positions-\d{4}-\d{2}-\d{2}\.csv$/);
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toBe(await response.text());
    expect(new URL(response.url()).searchParams.get('riskLevel')).toBe('critical');
    expect(file.trim().split('\r\n').length - 1).toBe(await page.locator('tbody tr').count());

    await page.getByLabel('Sort by').selectOption('totalDebtUsd');
    await page.getByLabel('Level').selectOption('none');
    await page.getByLabel(/^Debt/).selectOption('1000');
    await page.getByText('No position matches.').waitFor();
    await look('positions-none-match');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row(page, /seed/).first().waitFor();
  }, 180_000);

  it('have a page each, with the liquidation price of each asset as the API computes it', async () => {
    const { page } = joan;
    await joan.goto('/positions');
    await row(page, /Northstar.*moderate/)
      .getByRole('link')
      .click();
    await page
      .getByRole('img', { name: /^Health factor 1\.[34]\d\d, level moderate/ })
      .first()
      .waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const forecast = await page.evaluate(async (positionId) => {
      const response = await fetch(`/v1/positions/${positionId}/forecast`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      return (await response.json()) as { liquidationPrice: Record<string, number> };
    }, id);
    const price = forecast.liquidationPrice['WETH'] ?? Number.NaN;
    const text = price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    await row(page, new RegExp(`^WETH .* ${text.replace('.', '\\.')} USD −\\d+\\.\\d %`)).waitFor();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByRole('img', { name: /^Lowest health factor of each hour/ }).waitFor({ timeout: 60_000 });
    await look('position');
    await joan.tabToElement(page.getByText('Figures of the chart').first());
    await joan.press('Enter');
    await page.getByRole('region', { name: 'Figures of the chart' }).waitFor();
    await page.goto(page.url().replace(/pos_\w+$/, `pos_${'0'.repeat(22)}`));
    await page.getByText('There is no such open position.').waitFor();
    await look('position-unknown');
    await page.getByRole('link', { name: 'All positions' }).click();
    await joan.heading('Positions');
  }, 180_000);

  it('show what other prices do: in the browser at once, and confirmed by the API at the same block', async () => {
    const { page } = joan;
    await openNorthstar();
    const slider = page.getByRole('slider', { name: 'ETH' });
    await joan.tabToElement(slider);
    for (let presses = 0; presses < 20; presses += 1) await joan.press('ArrowLeft');
    await row(page, /^Health factor 1\.[34]\d\d 1\.1[012]\d$/).waitFor();
    await page.getByText('Confirmed by the API').waitFor();
    await look('position-what-if');
    expect(new URL(page.url()).searchParams.get('prices')).toBe('{"ETH":-20}');
    await page.reload();
    await row(page, /^Health factor 1\.[34]\d\d 1\.1[012]\d$/).waitFor();
    await page.getByText('Confirmed by the API').waitFor();

    await page.route('**/v1/simulate/what-if', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { combined: { newHealthFactor: number } };
      answer.combined.newHealthFactor *= 1 + 3e-9;
      await route.fulfill({ response, json: answer });
    });
    await page.getByRole('button', { name: 'All collateral −10 %' }).click();
    await page.getByText('This browser and the API differ').waitFor();
    await look('position-what-if-differs');
    await page.unroute('**/v1/simulate/what-if');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Move a price.').waitFor();
  }, 120_000);

  it('are verified on a node of the user, in the browser', async () => {
    const { page } = joan;
    await openNorthstar();
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    const url = page.getByLabel('URL of your node of');
    await joan.tabToElement(url);
    await url.fill('http://10.0.0.1:8545');
    await joan.press('Enter');
    await page.getByText('Use https, or http on 127.0.0.1').waitFor();
    await url.fill(platform.rpcUrl);
    await page.getByText('Prove storage too').click();
    const [worker] = await Promise.all([page.waitForEvent('worker'), joan.choose('button', 'Verify')]);
    await page.getByText('Equal to the wei').waitFor();
    const policies = await Promise.all(
      [worker.url(), page.url()].map(
        async (file) => (await page.request.get(file)).headers()['content-security-policy'],
      ),
    );
    expect(policies).toEqual([
      "default-src 'none'; script-src 'self'; connect-src https: http://127.0.0.1:* http://localhost:*",
      expect.stringContaining("connect-src 'self';"),
    ]);
    expect((await steps.allInnerTexts()).map((text) => text.split(/\s+/).slice(0, 2).join(' '))).toEqual(
      ['Form', 'Hash', 'Signature', 'Block', 'Calls', 'Figures', 'Liquidation', 'Proofs'].map(
        (step) => `equal ${step}`,
      ),
    );
    await look('position-verified');

    await url.fill('');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('No node made the calls again.').waitFor();
    // No node of this machine has port 1.
    await url.fill('http://127.0.0.1:1');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Your node could not verify it').waitFor();

    await page.route(/\/v1\/positions\/pos_\w+\?receipt=/, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({
        response,
        body: text.replace(/("outputs":\{"healthFactor":)"(\d+)"/, '$1"9$2"'),
      });
    });
    await url.fill(platform.rpcUrl);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The receipt differs: hash_differs').waitFor();
    expect(await steps.last().innerText()).toMatch(/^differs\s+Hash/);
    await look('position-tampered');
    await page.unroute(/\/v1\/positions\/pos_\w+\?receipt=/);

    await joan.context.setOffline(true);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Plimsoll cannot be reached').first().waitFor();
    await joan.context.setOffline(false);
  }, 120_000);

  it('are simulated, stressed and forecast with the figures of the API', async () => {
    const { page } = joan;
    const answers = new Map<number, MonteCarlo>();
    page.on('response', (response) => {
      if (response.url().endsWith('/v1/simulate/monte-carlo') && response.ok())
        void response.json().then((answer: MonteCarlo) => answers.set(answer.horizonDays, answer));
    });
    const chart = page.getByRole('img', { name: /^Health factor from now to 30 days ahead/ });
    await openNorthstar();
    await joan.choose('button', 'Simulate');
    await chart.waitFor({ timeout: 60_000 });
    const days = [2, 5, 10, 15, 20, 30].map((day) => answers.get(day)!);
    const shown = await page
      .getByRole('table', { name: 'Figures of the simulation' })
      .locator('tbody tr')
      .evaluateAll((rows: { cells: Iterable<{ textContent: string }> }[]) =>
        rows.map(({ cells }) => [...cells].map(({ textContent }) => textContent)),
      );
    expect(shown).toEqual(
      days.map(({ horizonDays, percentiles: { p5, p50, p95 }, ...probability }) => [
        `${horizonDays} days`,
        ...[p5, p50, p95].map(({ healthFactor }) => formatHealthFactor(healthFactor!)),
        formatProbability(
          probability.liquidationProbability,
          probability.standardError,
          probability.upperBound95,
        ),
      ]),
    );
    // One seed gives one set of paths, so a longer horizon is never safer.
    expect(new Set(days.map(({ seed }) => seed)).size).toBe(1);
    const probabilities = days.map(({ liquidationProbability }) => liquidationProbability);
    expect(probabilities).toEqual([...probabilities].sort((a, b) => a - b));
    expect(days[5]!.iterations).toBe(10_000);

    await page.route('**/v1/simulate/stress-test', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '2' },
        json: { title: 'Too many requests', status: 429, code: 'rate_limited' },
      }),
    );
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Too many requests').waitFor();
    await page.unroute('**/v1/simulate/stress-test');
    const [stress] = await Promise.all([
      page.waitForResponse((each) => each.url().endsWith('/v1/simulate/stress-test') && each.ok()),
      page.getByRole('button', { name: 'Try again' }).click(),
    ]);
    const { results } = (await stress.json()) as {
      results: { healthFactor: number; liquidated: boolean; estimatedLoss: number }[];
    };
    const scenarios = page.getByRole('table', { name: 'Stress scenarios' }).locator('tbody tr');
    await scenarios.first().waitFor();
    const texts = await scenarios.allInnerTexts();
    results.sort((a, b) => a.healthFactor - b.healthFactor);
    expect(results.length).toBeGreaterThan(5);
    expect(texts.length).toBe(results.length);
    for (const [index, { healthFactor, liquidated, estimatedLoss }] of results.entries())
      expect(texts[index]!.replace(/\s+/g, ' ')).toContain(
        `${liquidated ? 'liquidated' : 'holds'} ${formatHealthFactor(healthFactor)} ${formatUsd(estimatedLoss)} USD`,
      );

    await page.getByRole('button', { name: 'Forecast' }).click();
    await page.getByText('Liquidation within 30 days', { exact: true }).waitFor({ timeout: 60_000 });
    await look('position-outlook');
    await page.getByLabel('Horizon').selectOption('7');
    await page
      .getByRole('img', { name: /^Health factor from now to 7 days ahead/ })
      .waitFor({ timeout: 60_000 });
    expect(new URL(page.url()).searchParams.get('horizon')).toBe('7');
  }, 180_000);

  it('have a calculator whose plan is previewed on the chain', async () => {
    const { page } = joan;
    const target = page.getByLabel('Health factor to reach');
    const compute = async (): Promise<{ requiredRepayUsd: number }> => {
      const [response] = await Promise.all([
        page.waitForResponse((each) => each.url().endsWith('/deleverage') && each.ok()),
        joan.choose('button', 'Compute'),
      ]);
      return (await response.json()) as { requiredRepayUsd: number };
    };
    await openNorthstar();
    await joan.tabToElement(target);
    await target.fill('1');
    await joan.press('Enter');
    await page.getByText('A number above 1, at most 10.').waitFor();
    await target.fill('1.2');
    await compute();
    await page.getByText('The target is reached already').waitFor();
    await target.fill('1.8');
    const { requiredRepayUsd } = await compute();
    await page
      .getByText(`${formatUsd(requiredRepayUsd)} USD`)
      .first()
      .waitFor();
    const preview = page.getByRole('region', { name: 'Preview of the execution' });
    await joan.choose('button', 'Preview the execution');
    await preview.getByText(/^1\.[34]\d\d to 1\.80$/).waitFor();
    await preview.getByText(/USDC \(/).waitFor();
    await look('position-deleverage');
    await page.getByText('Sell collateral').click();
    await compute();
    await page.getByText('Sell WETH').waitFor();
    await joan.choose('button', 'Preview the execution');
    await preview.getByText('Fee of the swap').waitFor();
    await look('position-sale');
  }, 120_000);

  it('have the figures of the API in 500 scenarios, to a relative 1e-9', async () => {
    const plimsoll = new Plimsoll({
      apiKey: await platform.createKey('enterprise', 100_000),
      baseUrl: platform.baseUrl,
    });
    const wallets = platform.wallets.filter(({ plan }) => plan.healthFactor !== null).slice(0, 50);
    const all = await plimsoll.positions
      .list({ wallet: wallets.map(({ address }) => address).join(','), limit: 200 })
      .take(50);
    expect(all.length).toBe(50);
    const random = seeded(20_261_128);
    let compared = 0;
    let worst = 0;
    for (const { id, chainId } of all)
      for (let scenario = 0; scenario < 10; scenario += 1) {
        const { detail, own, theirs } = await waitFor(
          async () => {
            const before = await plimsoll.positions.get({ id });
            const symbols = symbolsOf(before);
            const changes = Object.fromEntries(
              symbols.map((asset) => [asset, Math.round(random() * 190) - 90]),
            );
            const scenarios = symbols.map((asset) => ({ asset, priceChangePercent: changes[asset] ?? 0 }));
            const answer = await plimsoll.simulate.whatIf({ positionId: id, scenarios });
            // Both must be of one block.
            if (answer.blockHash[chainId] !== before.blockHash[chainId]) return null;
            return {
              detail: before,
              own: modelOf(before)(changes).healthFactor,
              theirs: answer.combined.newHealthFactor,
            };
          },
          { message: 'a position and a result of one block', intervalMs: 0 },
        );
        expect([detail.id, isSame(own, theirs), own, theirs]).toEqual([id, true, own, theirs]);
        worst = Math.max(worst, Math.abs((own ?? 1) / (theirs ?? 1) - 1));
        compared += 1;
      }
    expect([compared, worst <= 1e-9]).toEqual([500, true]);
  }, 240_000);

  it('follow the stream of an enterprise account', async () => {
    const { page } = joan;
    const subscribed = page.waitForEvent('websocket', { timeout: 60_000 });
    await joan.goto('/positions');
    await subscribed;
    await row(page, /Northstar.*moderate/).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    await setPrice(platform.rpcUrl, platform.devnet, 'WETH', SHOCKED_USD);
    const shockedAt = Date.now();
    await row(page, /Northstar.*high/).waitFor();
    // Sooner than the list is read without news.
    expect(Date.now() - shockedAt).toBeLessThan(10_000);
    await row(page, /seed 1\.004.*liquidatable.*reached/)
      .first()
      .waitFor();
    await look('positions-shocked');
    await row(page, /Northstar/)
      .getByRole('link')
      .click();
    await page.getByRole('list', { name: 'Alerts' }).getByText('active').first().waitFor();
    await look('position-alerts');
    await joan.goto('/positions');
    await row(page, /Northstar/).waitFor();
    const order = await names(page);
    const api = await listed(joan, '?limit=200');
    expect(order.length).toBeGreaterThan(0);
    const shown = await page
      .locator('tbody code[title]')
      .evaluateAll((cells: { title: string }[]) => cells.map(({ title }) => title));
    expect(shown).toEqual(api.map(({ wallet }) => wallet));
  }, 120_000);

  it('are read again and again in a plan without streams', async () => {
    const { page } = joan;
    await platform.admin('accounts', 'set-tier', '--email', 'joan@example.com', '--tier', 'business');
    await joan.goto('/positions');
    await row(page, /Northstar.*high/).waitFor();
    await setPrice(platform.rpcUrl, platform.devnet, 'WETH', WETH_USD);
    await row(page, /Northstar.*moderate/).waitFor({ timeout: 45_000 });
  }, 90_000);

  it('keep their rows while the browser is offline, and say why a file cannot be saved', async () => {
    const { page, context } = joan;
    await row(page, /Northstar/).waitFor();
    await context.setOffline(true);
    await page.getByText('This browser is offline').waitFor();
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByText('Plimsoll cannot be reached').first().waitFor();
    expect(await row(page, /Northstar/).count()).toBe(1);
    await look('positions-offline');
    await context.setOffline(false);
    await page.getByText('This browser is offline').waitFor({ state: 'detached' });
  }, 60_000);

  it('show nothing of this account to another one', async () => {
    const eve = await signUp('eve@example.com');
    await eve.goto('/positions');
    await eve.page.getByText('No wallets yet').waitFor();
    expect(await eve.page.content()).not.toContain('Northstar');
    await eve.context.close();
  }, 60_000);

  it('are accessible in these states, and keep the policy', () => {
    expect(faults).toEqual([]);
    expect(joan.errors.filter((error) => !EXPECTED.test(error))).toEqual([]);
  });
});
