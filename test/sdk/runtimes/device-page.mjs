// Uses the page of device codes in Chromium as a user does, and prints what it shows.
import { withPage } from './chromium.mjs';

const { ADDRESS, EMAIL, PASSWORD, DECISION } = process.env;

await withPage(ADDRESS, async (page) => {
  await page.locator('#log-in [name=email]').fill(EMAIL);
  await page.locator('#log-in [name=password]').fill(PASSWORD);
  await page.locator('#log-in button').click();
  const decision = page.locator(`#decision button[value=${DECISION}]`);
  await page.waitForSelector('#decision', { visible: true });
  const request = await page.$$eval('#request li', (items) => items.map(({ textContent }) => textContent));
  for (const line of request) process.stdout.write(`${line}\n`);
  await decision.click();
  await page.waitForFunction(() => document.getElementById('message').textContent !== '');
  process.stdout.write(`${await page.$eval('#message', ({ textContent }) => textContent)}\n`);
});
