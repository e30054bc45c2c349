import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROBLEMS } from '@plimsoll/contracts';
import { Fixture } from './fixture';

const ROOT = path.join(__dirname, '../../..');
const BROWSER = path.join(__dirname, 'pages-in-browser.mjs');
/** One page of each kind, and the largest ones. */
const IN_BROWSER = [
  '/docs',
  '/docs/quick-start',
  '/docs/changelog',
  '/docs/coverage',
  '/docs/concepts/alerts',
  '/docs/guides/receiving-webhooks',
  '/docs/errors',
  '/docs/errors/rate_limited',
  '/docs/reference',
  '/docs/reference/positions',
  '/docs/reference/positions/getPosition',
  '/docs/reference/webhooks/createWebhook',
  '/docs/reference/execution/getExecutionStatus',
  '/docs/reference/events',
  '/docs/reference/events/alert.created',
  '/docs/streams',
  '/docs/search?q=rate+limit',
  '/docs/device',
];
/** The page reads the session of the browser, and the response is 401. */
const SIGNED_OUT = /status of 401/;

interface InBrowser {
  path: string;
  faults: string[];
  errors: string[];
  results: string[];
}
interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
  webhooks: Record<string, unknown>;
}

describe('the documentation', () => {
  let fixture: Fixture;
  let origin: string;
  /** Every page and file by its path, found from /docs. */
  const found = new Map<string, string>();

  beforeAll(async () => {
    fixture = await Fixture.start();
    origin = await fixture.gateway();
    await crawl('/docs');
  }, 60_000);
  afterAll(() => fixture.stop());

  async function crawl(first: string): Promise<void> {
    const waiting = [first];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (found.has(at)) continue;
      const response = await fetch(origin + at);
      if (!response.ok) throw new Error(`${at} is ${response.status}`);
      const text = await response.text();
      found.set(at, text);
      if (response.headers.get('content-type')?.startsWith('text/html')) waiting.push(...targetsOf(text));
    }
  }

  it('has every link of every page, and every heading that a link names', () => {
    const broken = [...found].flatMap(([at, text]) =>
      [...text.matchAll(/ href="([^"#]*)#([^"]+)"/g)]
        .filter(([, target = '']) => !target.startsWith('http'))
        .filter(([, target, id = '']) => !found.get(target || at)?.includes(` id="${id}"`))
        .map(([, target, id]) => `${at}: ${target}#${id}`),
    );
    expect(broken).toEqual([]);
  });

  it('has a page for every endpoint, webhook and error code', () => {
    const { paths, webhooks } = JSON.parse(
      readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'),
    ) as OpenApi;
    const operations = Object.values(paths).flatMap((each) => Object.values(each));
    const expected = [
      ...operations.map(
        ({ operationId, tags: [tag = ''] }) => `reference/${tag.toLowerCase()}/${operationId}`,
      ),
      ...Object.keys(webhooks).map((name) => `reference/events/${name}`),
      ...Object.keys(PROBLEMS).map((name) => `errors/${name}`),
    ];
    expect(expected.filter((each) => !found.has(`/docs/${each}`))).toEqual([]);
    expect(found.get('/docs/errors/rate_limited')).toContain('<code>/docs/errors/rate_limited</code>');
  });

  it('has no script, style or handler in a page, unique ids, and a text for each picture', () => {
    const faults = [...found].flatMap(([at, text]) => {
      if (!text.startsWith('<!doctype')) return [];
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      return [
        ...(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/.test(text) ? [`${at}: inline`] : []),
        ...(new Set(ids).size < ids.length ? [`${at}: an id twice`] : []),
        ...(/<img(?![^>]* alt="[^"]+")/.test(text) ? [`${at}: a picture without a text`] : []),
      ];
    });
    expect(faults).toEqual([]);
  });

  it('is accessible in a browser, keeps its policy, and finds pages', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [BROWSER, origin, ...IN_BROWSER], {
      timeout: 120_000,
    });
    const pages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as InBrowser);
    expect(pages.map((each) => each.path)).toEqual(IN_BROWSER);
    const faults = pages.flatMap((each) =>
      [...each.faults, ...each.errors.filter((error) => !SIGNED_OUT.test(error))].map(
        (fault) => `${each.path}: ${fault}`,
      ),
    );
    expect(faults).toEqual([]);
    const results = pages.find((each) => each.path.startsWith('/docs/search'))?.results ?? [];
    expect(results.slice(0, 2)).toEqual([`${origin}/docs/errors/rate_limited`, `${origin}/docs/api/limits`]);
  }, 150_000);
});

/** Returns the paths on this gateway that a page loads and links to, without the parts after `#`. */
function targetsOf(text: string): string[] {
  return [...text.matchAll(/ (?:src|href)="(\/[^"#]*)/g)].map(([, target = '']) => target);
}
