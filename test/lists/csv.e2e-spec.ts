import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MarketRateList, PositionList } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { Browser } from '../attacks/browser';
import { startOwnPlatform, type Platform } from '../platform/start-platform';

interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}
interface Operation {
  parameters?: { name?: string; in?: string }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const DOCUMENT = JSON.parse(readFileSync(path.join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, { get?: Operation }>;
  components: { schemas: Record<string, Schema> };
};
const schemaOf = ({ $ref = '' }: Schema): Schema => DOCUMENT.components.schemas[$ref.split('/').at(-1)!]!;

/** A list of the document: the name of its items, their fields, and the parameters. */
interface DocumentedList {
  route: string;
  items: string;
  fields: string[];
  parameters: string[];
}

const LISTS: DocumentedList[] = Object.entries(DOCUMENT.paths).flatMap(([route, { get }]) => {
  const content = get?.responses['200']?.content;
  if (!get || !content?.['text/csv']) return [];
  const { properties = {} } = schemaOf(content['application/json']!.schema);
  const [items, list] = Object.entries(properties).find(
    ([, { type, items: of }]) => type === 'array' && of?.$ref,
  )!;
  return [
    {
      route,
      items,
      fields: Object.keys(schemaOf(list.items!).properties ?? {}),
      parameters: (get.parameters ?? []).flatMap(({ name, in: place }) => (place === 'query' ? [name!] : [])),
    },
  ];
});

/** Reads RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows = text.matchAll(/(?:(?:"(?:[^"]|"")*"|[^",\r\n]*),?)*\r\n/g);
  return [...rows].map(([line]) =>
    [...line.slice(0, -2).matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    ),
  );
}

describe('every list as CSV', () => {
  let platform: Platform;
  let origin: string;
  let key: string;
  let browser: Browser;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    platform = await startOwnPlatform();
    ({ origin } = new URL(platform.baseUrl));
    key = await platform.createKey('enterprise', 10_000);
    browser = await Browser.signedIn({ origin });
    const [wallet, other] = platform.wallets.map(({ address }) => address);
    await post('/v1/wallets', { address: other, label: '=HYPERLINK("http://x")' });
    await post('/v1/wallets', { address: wallet, label: '@SUM(1,2)' });
    ids.set('/v1/wallets/{address}/history', wallet!);
    ids.set('/v1/wallets/{address}/balances', wallet!);
    ids.set('/v1/wallet-groups/{id}/history', await post('/v1/wallet-groups', { name: '+1' }));
    ids.set('/v1/wallets/imports/{id}', await post('/v1/wallets/imports', { wallets: [{ address: '-1' }] }));
    const webhook = { url: 'http://127.0.0.1:8000/hook', events: ['test.ping'] };
    ids.set('/v1/webhooks/{id}/deliveries', await post('/v1/webhooks', webhook));
    const position = await waitFor(
      async () => {
        const { text } = await get('/v1/positions', 'application/json');
        return (JSON.parse(text) as PositionList).positions.find((each) => each.wallet === wallet);
      },
      { timeoutMs: 60_000, message: 'a position of the wallet' },
    );
    ids.set('/v1/positions/{id}/history', position.id);
    ids.set('/v1/positions/{id}/forecasts', position.id);
    const rate = await waitFor(
      async () => {
        const { text } = await get('/v1/markets/rates', 'application/json');
        return (JSON.parse(text) as MarketRateList).rates[0];
      },
      { timeoutMs: 60_000, message: 'the rates of a market' },
    );
    ids.set('/v1/markets/rates/{id}/history', rate.id);
    await waitFor(async () => (await get('/v1/alerts', 'application/json')).text.includes('alt_'), {
      timeoutMs: 60_000,
      message: 'an alert',
    });
  }, 240_000);
  afterAll(async () => {
    await platform?.stop();
  }, 60_000);

  async function post(route: string, body: object): Promise<string> {
    const response = await fetch(origin + route, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${route} responded with ${response.status}: ${text}`);
    return /"id":"(\w+)"/.exec(text)?.[1] ?? '';
  }

  async function get(
    route: string,
    accept: string,
  ): Promise<{ status: number; headers: Headers; text: string }> {
    const isAccount = route.startsWith('/account/');
    const response = await fetch(origin + route, {
      headers: { accept, ...(isAccount ? { cookie: browser.cookie, origin } : { 'x-api-key': key }) },
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  it('the document has every list', () => {
    expect(LISTS.length).toBeGreaterThanOrEqual(28);
    expect([...ids.keys()].filter((route) => !LISTS.some((list) => list.route === route))).toEqual([]);
  });

  it.each(LISTS.map((list) => [list.route, list] as const))('GET %s', async (_, list) => {
    const { route, items, fields, parameters } = list;
    const own: Record<string, string> = {
      '/v1/prices/history': 'symbol=ETH',
      '/v1/markets/exit-liquidity': 'symbols=ETH',
    };
    const query = [own[route], parameters.includes('limit') ? 'limit=1' : undefined]
      .filter(Boolean)
      .join('&');
    const target = `${ids.has(route) ? route.replace(/\{\w+\}/, ids.get(route)!) : route}?${query}`;
    const json = await get(target, 'application/json');
    const csv = await get(target, 'text/csv');
    expect([json.status, csv.status, csv.text]).toEqual([200, 200, expect.stringMatching(/\r\n$/)]);
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    for (const { headers } of [json, csv]) expect(headers.get('vary')).toMatch(/\baccept\b(?!-)/);
    const [names, ...rows] = parseCsv(csv.text);
    expect(names).toEqual(fields);
    const body = JSON.parse(json.text) as Record<string, Record<string, unknown>[]> & {
      nextCursor?: string | null;
    };
    expect(rows.map(({ length }) => length)).toEqual(rows.map(() => fields.length));
    expect(rows).toHaveLength(body[items]?.length ?? 0);
    const identity = ['id', 'address', 'positionId', 'at'].find((name) => fields.includes(name));
    if (identity)
      expect(rows.map((row) => row[fields.indexOf(identity)])).toEqual(
        body[items]!.map((item) => String(item[identity])),
      );
    expect(csv.headers.get('link')?.includes('rel="next"') ?? false).toBe(Boolean(body.nextCursor));
    for (const row of rows) for (const value of row) expect(value).not.toMatch(/^(?:[=+@\t\r]|-\D)/);
    if (!parameters.includes('fields')) return;
    const two = fields.slice(0, 2).toReversed();
    const selected = await get(`${target}&fields=${two.join(',')}`, 'text/csv');
    expect(parseCsv(selected.text)[0]).toEqual(two);
  });

  it('the pages of Link are the pages of the cursor', async () => {
    const pages: string[][] = [];
    let next: string | undefined = '/v1/wallets?limit=1&fields=address,label';
    while (next !== undefined) {
      const { headers, text } = await get(next, 'text/csv');
      pages.push(...parseCsv(text).slice(1));
      next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    const [wallet, other] = platform.wallets.map(({ address }) => address);
    expect(pages).toEqual([
      [wallet, "'@SUM(1,2)"],
      [other, `'=HYPERLINK("http://x")`],
    ]);
  });

  it('has an entity tag of its own, and errors stay problems', async () => {
    const route = '/v1/wallet-groups';
    const [json, csv] = [await get(route, 'application/json'), await get(route, 'text/csv')];
    expect(csv.headers.get('etag')).toMatch(/^W\//);
    expect(csv.headers.get('etag')).not.toBe(json.headers.get('etag'));
    for (const [wrong, status] of [
      ['/v1/wallets?walet=1', 400],
      ['/v1/wallets/imports/imp_x', 404],
    ] as const) {
      const refused = await get(wrong, 'text/csv');
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        status,
        expect.stringMatching(/^application\/problem\+json/),
      ]);
    }
    const record = await get('/v1/chains/1', 'text/csv');
    expect(record.headers.get('content-type')).toMatch(/^application\/json/);
  });
});
