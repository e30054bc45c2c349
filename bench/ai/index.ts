import { parseArgs } from 'node:util';
import type { IncidentList } from '@plimsoll/contracts';
import { SEED_PLANS, type SeedPlan, shockPrice } from '@plimsoll/devnet';
import { waitFor } from '@plimsoll/testing';
import { apiClient } from '../../test/platform/api-client';
import type { Platform } from '../../test/platform/start-platform';
import { onPlatform } from '../flow/on-platform';
import { summary } from '../flow/percentile';
import { cpuMs } from '../flow/process-usage';
import { type Asker, type Case, casesOf } from './cases';

export const description =
  'answers of the AI service without a model through the gateway, with one wallet and with 190 [--calls N]';

/** Wallets of the large account, each with one position at least. */
const WALLETS = 190;
/** Repeats the positions of the demo in smaller size, because the market lends to three times as many. */
const PLANS: readonly SeedPlan[] = Array.from({ length: WALLETS }, (_, index) => {
  const plan = SEED_PLANS[index % SEED_PLANS.length]!;
  return { ...plan, suppliedUsd: plan.suppliedUsd / 4 };
});
const SHOCK_PERCENT = -6;
const WARM_UP_CALLS = 20;
const PER_MINUTE = 1_000_000;

/** Standard output contains only the result. */
const progress = (line: string): void => console.error(line);

/**
 * Questions, suggestions, briefings and postmortems through the gateway, one call after the other, with
 * answers from the templates: real Postgres, Redis, Kafka and EVM with a block a second, all services built,
 * everything on this machine.
 */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({ args, options: { calls: { type: 'string', default: '200' } } });
  return onPlatform(PLANS, progress, (platform) => measure(platform, Number(values.calls)));
}

async function measure(platform: Platform, calls: number): Promise<object> {
  const all = platform.wallets.map(({ address }) => address);
  const endangered = platform.wallets.find(
    ({ plan }) => plan.healthFactor !== null && plan.healthFactor < 1.1 && !plan.eMode,
  );
  progress('watching wallets, letting prices fall');
  const [one, many] = [await askerOf(platform, [endangered!.address]), await askerOf(platform, all)] as const;
  await waitFor(async () => (await riskScore(one, endangered!.address)) === 200, {
    timeoutMs: 120_000,
    message: 'the price histories exist',
  });
  await shockPrice(platform.rpcUrl, platform.devnet, 'WETH', SHOCK_PERCENT);
  const [incidentOfOne, incidentOfMany] = [await incidentOf(one), await incidentOf(many)];
  const idle = await idleCpu(platform);
  const oneWallet = await measureAll(platform, one, casesOf(incidentOfOne), calls);
  const manyWallets = await measureAll(platform, many, casesOf(incidentOfMany), calls);
  return {
    bench: 'ai',
    node: process.version,
    callsOfEach: calls,
    aimMs: { p50: 50 },
    /** CPU of the services without load, in milliseconds a second. */
    idleCpuMsPerSecond: idle,
    oneWallet,
    manyWallets: { wallets: WALLETS, ...manyWallets },
  };
}

/** A separate account that watches the wallets. */
async function askerOf(platform: Platform, wallets: readonly string[]): Promise<Asker> {
  const key = await platform.createKey('enterprise', PER_MINUTE);
  const api = apiClient(platform.baseUrl, key);
  for (const address of wallets) await api.post('/wallets', { address });
  return { baseUrl: platform.baseUrl, key, api };
}

async function riskScore({ api }: Asker, wallet: string): Promise<number> {
  const list = await api.get<{ positions?: { id: string }[] }>(`/positions?wallet=${wallet}`);
  const [position] = list.body.positions ?? [];
  return position ? (await api.get(`/positions/${position.id}/risk-score`)).status : list.status;
}

function incidentOf({ api }: Asker): Promise<string> {
  return waitFor(async () => (await api.get<IncidentList>('/incidents?status=open')).body.incidents[0]?.id, {
    timeoutMs: 60_000,
    message: 'an incident is open',
  });
}

async function measureAll(
  platform: Platform,
  asker: Asker,
  cases: Readonly<Record<string, Case>>,
  calls: number,
): Promise<Record<string, object>> {
  const results: Record<string, object> = {};
  for (const [name, ask] of Object.entries(cases)) {
    for (let call = 0; call < WARM_UP_CALLS; call += 1) await timed(asker, ask, call);
    const before = cpuOf(platform);
    const wallMs: number[] = [];
    for (let call = 0; call < calls; call += 1) wallMs.push(await timed(asker, ask, call));
    const cpuMsPerCall = perUnit(before, cpuOf(platform), calls);
    results[name] = { wallMs: summary(wallMs), cpuMsPerCall };
    progress(`${name}: ${JSON.stringify(results[name])}`);
  }
  return results;
}

/** Milliseconds until the complete answer has arrived. */
async function timed({ baseUrl, key }: Asker, { path, bodies }: Case, call: number): Promise<number> {
  const startedMs = performance.now();
  const answer = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(bodies[call % bodies.length]),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await answer.text();
  const tookMs = performance.now() - startedMs;
  const generator = answer.headers.get('x-answer-generator');
  if (answer.status !== 200 || generator !== 'template' || text.includes('"answered":false'))
    throw new Error(`${path} returned ${answer.status} (${generator}): ${text.slice(0, 500)}`);
  return tookMs;
}

const IDLE_MS = 5_000;

async function idleCpu(platform: Platform): Promise<Record<string, number>> {
  const before = cpuOf(platform);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return perUnit(before, cpuOf(platform), IDLE_MS / 1_000);
}

function cpuOf({ services }: Platform): Record<string, number> {
  return Object.fromEntries(Object.values(services).map(({ name, pid }) => [name, cpuMs(pid())]));
}

function perUnit(
  before: Record<string, number>,
  after: Record<string, number>,
  units: number,
): Record<string, number> {
  const each = Object.entries(after).map(([name, ms]): [string, number] => [
    name,
    Math.round(((ms - before[name]!) / units) * 10) / 10,
  ]);
  return Object.fromEntries(each.filter(([, ms]) => ms > 0));
}
