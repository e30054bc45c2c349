import chromium from '@sparticuz/chromium';
import puppeteer from 'puppeteer-core';

/** Runs an action on a page in Chromium, which ends with it. */
export async function withPage(url, action) {
  const browser = await puppeteer.launch({
    args: [...chromium.args, '--no-sandbox'],
    executablePath: await chromium.executablePath(),
    headless: 'shell',
  });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await action(page);
  } finally {
    await browser.close();
  }
}
