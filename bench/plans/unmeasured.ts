import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ListScene } from './scene';

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
}

interface OpenApi {
  paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  components: { parameters?: Record<string, Parameter> };
}

const OPENAPI = path.join(__dirname, '../../docs/openapi.json');

/** Parameters that select no rows. A bucket and an order need the same rows. */
const NOT_FILTERS = new Set(['limit', 'fields', 'bucket', 'sort', 'include', 'receipt', 'ticket']);

/** Filters of responses from memory, from a chain or from another list, by the path. */
const WITHOUT_ROWS: Readonly<Record<string, readonly string[]>> = {
  '/v1/prices': ['symbols'],
  '/v1/protocols': ['cursor'],
  '/v1/chains': ['cursor'],
  '/v1/markets/exit-liquidity': ['symbols'],
  // The sums of all forecasts are in memory.
  '/v1/risk/track-record': ['protocol', 'asset', 'horizonDays', 'band'],
  // They apply to the figures of the wallets.
  '/v1/positions': ['protocol', 'chainId', 'riskLevel', 'maxHealthFactor', 'minDebtUsd', 'cursor'],
  // The wallets of GET /v1/positions.
  '/v1/risk/metrics': ['wallet', 'positionId'],
  '/v1/analytics/portfolio': ['wallet', 'positionId'],
  // From the chain.
  '/v1/wallets/{address}/balances': ['chainId', 'token'],
};
/** The ends of a page are those of its buckets, which `until` of a scene states. */
const BY_UNTIL = ['since', 'cursor'];

/** Filters of the API that no scene measures: path and parameter. */
export function unmeasured(lists: readonly ListScene[]): string[] {
  const { paths, components } = JSON.parse(readFileSync(OPENAPI, 'utf8')) as OpenApi;
  return Object.entries(paths).flatMap(([url, { get }]) => {
    const own = lists.filter(({ name }) => name.split(' ')[1] === url);
    const measured = new Set(own.flatMap(({ filters }) => Object.keys(filters)));
    if (url.endsWith('/history') && measured.has('until')) BY_UNTIL.forEach((name) => measured.add(name));
    return (get?.parameters ?? [])
      .map(({ $ref, ...given }) => ($ref ? components.parameters?.[$ref.split('/').at(-1)!] : given))
      .filter((parameter) => parameter?.in === 'query')
      .map((parameter) => parameter!.name!)
      .filter((name) => !NOT_FILTERS.has(name) && !WITHOUT_ROWS[url]?.includes(name))
      .filter((name) => !measured.has(name))
      .map((name) => `${url} ${name}`);
  });
}
