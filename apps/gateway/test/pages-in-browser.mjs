// node pages-in-browser.mjs ORIGIN PATH...: opens pages in Chromium and prints one line of JSON for each: faults that axe
// finds, what the browser logs as an error, such as a violation of the policy, and the results of a search.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const DEADLINE_MS = 20_000;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const [origin, ...paths] = process.argv.slice(2);

// The package has a Chromium for Linux only. Elsewhere the test needs an installed Chrome.
const browser = await playwright.launch(
  process.platform === 'linux'
    ? { args: ['--no-sandbox', '--disable-gpu'], executablePath: await chromium.executablePath() }
    : { channel: 'chrome' },
);
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(DEADLINE_MS);
  let errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  for (const path of paths) {
    errors = [];
    let bytes = 0;
    const count = async (response) => (bytes += (await response.request().sizes()).responseBodySize);
    page.on('response', count);
    await page.goto(origin + path, { waitUntil: 'networkidle' });
    page.off('response', count);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const faults = violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target }) => `${impact} ${id}: ${target.join(' ')}`),
    );
    const results = await page.locator('#results a').evaluateAll((links) => links.map(({ href }) => href));
    process.stdout.write(`${JSON.stringify({ path, faults, errors, results, bytes })}\n`);
  }
} finally {
  await browser.close();
}
