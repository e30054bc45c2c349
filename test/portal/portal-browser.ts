import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { waitFor } from '@plimsoll/testing';
import { type Browser, type BrowserContext, type Locator, type Page, chromium } from 'playwright-core';

const DEADLINE_MS = 20_000;
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 768, 1_440];
/** The widest window that a page is made for. It has no picture of its own. */
const WIDEST = 1_920;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The width that a page needs. A dialog is over the page, so that the page does not scroll when it is too wide. */
const NEEDED_WIDTH = `Math.max(
  document.documentElement.scrollWidth,
  ...[...document.querySelectorAll('[role=dialog]')].map((dialog) =>
    Math.floor(dialog.getBoundingClientRect().left + Math.max(dialog.offsetWidth, dialog.scrollWidth)),
  ),
)`;
/** A folder for pictures of every page: npm run portal:screens. */
const SCREENS = process.env['PORTAL_SCREENS'];

/** Starts the Chromium of the npm package, or an installed Chrome where the package has none. */
export async function startChromium(): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome' });
  // The package has ES modules only, which Jest does not load.
  const print =
    "import('@sparticuz/chromium').then(({ default: c }) => c.executablePath()).then(console.log)";
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', print], { timeout: 60_000 });
  return chromium.launch({ args: ['--no-sandbox', '--disable-gpu'], executablePath: stdout.trim() });
}

/** Makes a page think that its tab is hidden or shown, which a browser without a window does not do itself. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      const { document } = globalThis as unknown as { document: EventTarget };
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    isHidden ? 'hidden' : 'visible',
  );
}

/** One user with a browser: their page, and everything that the browser reports as an error. */
export class PortalUser {
  readonly errors: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly origin: string,
  ) {
    page.setDefaultTimeout(DEADLINE_MS);
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
  }

  static async open(browser: Browser, origin: string): Promise<PortalUser> {
    // Axe would measure colours in the middle of an animation.
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1_440, height: 900 },
    });
    return new PortalUser(context, await context.newPage(), origin);
  }

  /** Another page of the same browser, with its session. */
  async another(): Promise<PortalUser> {
    return new PortalUser(this.context, await this.context.newPage(), this.origin);
  }

  async goto(address: string): Promise<void> {
    await this.page.goto(`${this.origin}/portal${address}`);
  }

  /** Creates an account. Its first page is not waited for. */
  async signUp(email: string, password: string): Promise<void> {
    await this.goto('/sign-up');
    await this.page.getByLabel('E-mail').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Create account' }).click();
  }

  /** Presses Tab until the element with this name has the focus. */
  tabTo(role: Reached, name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return this.tabToElement(within.getByRole(role, { name, exact: typeof name === 'string' }).first());
  }

  /**
   * Presses Tab until the element has the focus, then Enter.
   * @param within a dialog whose page has the same name
   */
  async choose(role: Reached, name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await this.tabTo(role, name, within);
    await this.press('Enter');
  }

  /** Types into a field that Tab reaches. */
  async type(label: string, text: string): Promise<void> {
    await this.tabToElement(this.page.getByLabel(label, { exact: true }));
    await this.page.keyboard.insertText(text);
  }

  /** Presses Tab until the element has the focus. */
  async tabToElement(target: Locator): Promise<void> {
    await target.waitFor();
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await target.and(this.page.locator(':focus')).count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${target.toString()}`);
  }

  press = (key: string): Promise<void> => this.page.keyboard.press(key);

  heading = (name: string | RegExp): Promise<void> =>
    this.page
      .getByRole('heading', { name, exact: typeof name === 'string' })
      .first()
      .waitFor();

  /** Waits until the page has read everything. Returns what is wrong with it, and takes pictures where a folder is set. */
  async faults(name: string, widths = WIDTHS): Promise<string[]> {
    await this.page.waitForLoadState('networkidle');
    return [...(await this.overflows(name, widths)), ...(await this.violations(name, widths))];
  }

  /** Returns what axe finds on the page as it is, in both themes. */
  async violations(name: string, widths = WIDTHS): Promise<string[]> {
    await this.page.evaluate(axe);
    const found: string[] = [];
    for (const theme of THEMES) {
      await this.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await this.page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
      await this.colours();
      const { violations } = await this.page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
      );
      for (const { id, nodes } of violations)
        found.push(
          ...nodes.map(
            ({ target, failureSummary }) => `${name} (${theme}): ${id} ${target.join(' ')} ${failureSummary}`,
          ),
        );
      if (SCREENS) await this.takePictures(SCREENS, name, theme, widths);
    }
    await this.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    return found;
  }

  /** Returns the widths at which the page scrolls sideways. */
  private async overflows(name: string, widths: readonly number[]): Promise<string[]> {
    const before = this.page.viewportSize() ?? { width: 1_440, height: 900 };
    const found: string[] = [];
    // The menu of narrow windows closes in a wide one.
    for (const width of widths === WIDTHS ? [...widths, WIDEST] : widths) {
      await this.page.setViewportSize({ width, height: 900 });
      const needed = await this.page.evaluate<number>(NEEDED_WIDTH);
      if (needed > width) found.push(`${name}: ${needed} px wide at ${width}`);
    }
    await this.page.setViewportSize(before);
    return found;
  }

  /**
   * Waits until the page is painted in its new colours: several frames in a row without an animation. The end of one begins
   * another in a later frame, because a colour that an element inherits changes again.
   */
  private async colours(): Promise<void> {
    await becomesTrue(
      this.page,
      `(async () => {
        for (let frame = 0; frame < 10; frame += 1) {
          await new Promise((done) => requestAnimationFrame(done));
          if (document.getAnimations().some(({ playState }) => playState === 'running')) return false;
        }
        return true;
      })()`,
      'the colours are painted',
    );
  }

  private async takePictures(
    folder: string,
    name: string,
    theme: string,
    widths: readonly number[],
  ): Promise<void> {
    const before = this.page.viewportSize() ?? { width: 1_440, height: 900 };
    await mkdir(folder, { recursive: true });
    for (const width of widths) {
      await this.page.setViewportSize({ width, height: 900 });
      // The header would be in the middle of the picture.
      await this.page.evaluate('scrollTo(0, 0)');
      await this.page.screenshot({
        path: path.join(folder, `${name}-${width}-${theme}.png`),
        fullPage: true,
      });
    }
    await this.page.setViewportSize(before);
  }
}

type Reached = 'button' | 'link' | 'tab';

interface AxeResults {
  violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

/**
 * Waits until an expression is true in the page. page.waitForFunction repeats it inside the page, where the policy permits no
 * evaluation of text.
 */
export async function becomesTrue(page: Page, expression: string, message: string): Promise<void> {
  await waitFor(() => page.evaluate<boolean>(expression), { message });
}
