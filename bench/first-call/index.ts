import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { startChromium } from '../../test/portal/portal-browser';
import { percentile } from '../flow/percentile';
import { cloneOfHead } from '../start/clone-of-head';

export const description =
  'seconds from a clone with its packages to the first 200 in the browser: clean and warm, and from the sign-up to the first request [--rounds N]';

const execFileAsync = promisify(execFile);
const PASSWORD = 'correct horse battery staple';
const AIMS = { coldSeconds: 60, warmSeconds: 15, signUpSeconds: 60 };

const progress = (line: string): void => console.error(line);
const seconds = (sinceMs: number): number => Math.round((performance.now() - sinceMs) / 100) / 10;

interface First {
  /** The time from `npm start` to a response with 200 that the page shows. */
  callSeconds: number;
  /** Of them, until the command has started everything. */
  startSeconds: number;
  /** From the sign-up, with the code of the mail and a key, until Home shows the request. */
  signUpSeconds: number;
}

export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string', default: '3' } } });
  const clone = await cloneOfHead();
  const { npm } = clone;
  const browser = await startChromium();
  try {
    const cold: First[] = [];
    const warm: First[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      await clone.removeAllButPackages();
      for (const [name, starts] of Object.entries({ cold, warm })) {
        starts.push(await firstCall(npm, browser, `${name}-${round}`));
        await npm('stop');
        progress(`${name} ${round}: ${JSON.stringify(starts.at(-1))}`);
      }
    }
    const median = (starts: readonly First[], of: keyof First): number =>
      percentile(
        starts.map((start) => start[of]),
        0.5,
      );
    const results = {
      coldSeconds: median(cold, 'callSeconds'),
      warmSeconds: median(warm, 'callSeconds'),
      signUpSeconds: median([...cold, ...warm], 'signUpSeconds'),
    };
    const passed = (Object.keys(AIMS) as (keyof typeof AIMS)[]).every((name) => results[name] <= AIMS[name]);
    return { bench: 'first-call', results, aims: AIMS, cold, warm, load: loadavg()[0], passed };
  } finally {
    await browser.close();
    await clone.remove();
  }
}

/** Does what the printed text says: opens the log-in of a demo account, and sends a request. Then it signs up. */
async function firstCall(
  npm: (...words: string[]) => Promise<string>,
  browser: Browser,
  name: string,
): Promise<First> {
  const begun = performance.now();
  const output = await npm('start', '--', '--detach');
  const startSeconds = seconds(begun);
  const logIn = /Log in open\s+(\S+)/.exec(output)?.[1];
  if (!logIn) throw new Error(`npm start printed no log-in: ${output.slice(-500)}`);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(logIn);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.getByText('200', { exact: true }).waitFor();
  const callSeconds = seconds(begun);
  await context.close();
  return { callSeconds, startSeconds, signUpSeconds: await signUp(browser, new URL(logIn).origin, name) };
}

async function signUp(browser: Browser, origin: string, name: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const email = `${name}@example.com`;
  const begun = performance.now();
  await page.goto(`${origin}/portal/sign-up`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Confirm your address' }).waitFor();
  const mails = await context.newPage();
  await mails.goto(`${origin}/portal/mail`);
  const code = /confirm-email#([\w-]{43})/.exec(
    await mails.locator('section').filter({ hasText: email }).first().innerText(),
  )?.[1];
  await mails.close();
  await page.getByLabel('Code').fill(code ?? '');
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('first');
  await page.getByRole('button', { name: 'Create key', exact: true }).last().click();
  await page.getByRole('heading', { name: 'Key “first”' }).waitFor();
  await page.getByRole('button', { name: 'I stored the key' }).click();
  await page.getByText('Waiting for your first request').waitFor();
  const command = await page.getByRole('region', { name: 'curl' }).innerText();
  const { stdout } = await execFileAsync('bash', [
    '-c',
    `${command} --silent --output /dev/null --write-out '%{http_code}'`,
  ]);
  if (stdout !== '200') throw new Error(`The command of the page got ${stdout}.`);
  await page.getByText('Request received').waitFor();
  await context.close();
  return seconds(begun);
}
