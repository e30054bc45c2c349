import { parseArgs } from 'node:util';
import { checksumAddress } from '@plimsoll/contracts';
import { type AnvilRpc, connectAnvil, seededRandom } from '@plimsoll/devnet';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { apiClient } from '../../test/platform/api-client';
import type { Platform } from '../../test/platform/start-platform';
import { alarmsSince, pause, walletsBelowOne } from '../alarm/observe';
import { onPlatform } from '../flow/on-platform';
import { summary } from '../flow/percentile';
import { PLANS, POSITIONS } from './plans';
import { Prices, type Receipt } from './scenes';

export const description =
  'shocks that are hard to follow (bursts, bounces, depegs, interest, restarts): falls below 1 against alerts [--seed N]';

const ROUNDS = 60;
const DEFAULT_SEEDS = [7];
const AIM_MS = { p99: 1_000 };
const SETTLE_MS = 2_000;
const RESTART_MS = 30_000;

const SCENES = ['shock', 'burst', 'bounce', 'shock', 'flash', 'drift', 'burst', 'bounce', 'restart'] as const;
type Scene = (typeof SCENES)[number];

/** Standard output contains only the result. */
const progress = (line: string): void => console.error(line);

/** The result of the shocks of one seed. */
interface Series {
  seed: number;
  fallsBelowOne: number;
  byScene: Record<string, number>;
  alerts: number;
  /** Falls within a block that its end does not show: no alert may say so. */
  dipsWithinBlocks: number;
  faults: string[];
  fromReceiptMs: object | null;
  fromReceiptMsByScene: Record<string, object>;
  passed: boolean;
}

/** A fall below 1 in one block. */
interface Fall {
  wallet: string;
  block: number;
}

/** @param args `--seed N` or `--seed N,M` for other shocks, one series after another on one platform */
export async function run(args: readonly string[] = []): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string', default: DEFAULT_SEEDS.join() } },
  });
  const seeds = values.seed.split(',').map(Number);
  if (!seeds.every((seed) => Number.isSafeInteger(seed) && seed > 0))
    throw new Error('--seed takes whole numbers above 0');
  const receiver = await startReceiver();
  try {
    return await onPlatform(PLANS, progress, async (platform) => {
      await watchAll(platform, receiver);
      const prices = new Prices(platform, connectAnvil(platform.rpcUrl));
      const series: Series[] = [];
      for (const seed of seeds) series.push(await measure(platform, receiver, prices, seed));
      const passed = series.every((each) => each.passed);
      return { bench: 'alarm-hard', rounds: ROUNDS, positions: POSITIONS, aimMs: AIM_MS, series, passed };
    });
  } finally {
    await receiver.close();
  }
}

async function watchAll(platform: Platform, receiver: Receiver): Promise<void> {
  const key = await platform.createKey('enterprise', 10_000);
  const api = apiClient(platform.baseUrl, key);
  await api.post('/webhooks', { url: `${receiver.url}/hook`, events: ['alert.created', 'position.updated'] });
  for (const { address } of platform.wallets) await api.post('/wallets', { address });
  const last = checksumAddress(platform.wallets.at(-1)!.address);
  await receiver.waitForRequest(({ body }) => body.includes(last), 30_000);
  await pause(SETTLE_MS);
}

async function measure(
  platform: Platform,
  receiver: Receiver,
  prices: Prices,
  seed: number,
): Promise<Series> {
  const rpc = connectAnvil(platform.rpcUrl);
  prices.begin(seededRandom(seed));
  const latencies = new Map<Scene, number[]>();
  const faults: string[] = [];
  let alerts = 0;
  const falls: Partial<Record<Scene, number>> = {};
  let block = await headOf(rpc);
  for (let round = 0; round < ROUNDS; round += 1) {
    const scene = SCENES[round % SCENES.length]!;
    const startMs = performance.now();
    prices.receipts.length = 0;
    await play(scene, prices, platform);
    const end = await headOf(rpc);
    const fell = await fallsBetween(rpc, platform, block, end);
    block = end;
    falls[scene] = (falls[scene] ?? 0) + fell.length;
    await (scene === 'restart'
      ? waitFor(() => alarmsSince(receiver, startMs).length >= fell.length, {
          timeoutMs: RESTART_MS,
          message: 'alerts after the restart',
        }).catch(() => undefined)
      : undefined);
    await pause(SETTLE_MS);
    const alarms = alarmsSince(receiver, startMs);
    alerts += alarms.length;
    const name = `round ${round + 1}, ${scene}`;
    for (const wallet of new Set([...fell, ...alarms].map((each) => each.wallet))) {
      const expected = fell.filter((fall) => fall.wallet === wallet);
      const own = alarms.filter((alarm) => alarm.wallet === wallet);
      if (own.length !== expected.length)
        faults.push(
          `${name}: ${own.length} alerts about ${wallet}, which fell in ${expected.map((each) => each.block).join(', ') || 'none'} of blocks ${prices.receipts.map((each) => each.block).join(', ')}`,
        );
      else if (scene !== 'restart')
        own.forEach((alarm, index) => {
          const receipt = receiptOf(prices.receipts, expected[index]!.block);
          if (!receipt) return;
          latencies.set(scene, [...(latencies.get(scene) ?? []), alarm.receivedAtMs - receipt.atMs]);
        });
    }
    if ((round + 1) % 9 === 0)
      progress(
        `seed ${seed}: ${round + 1} of ${ROUNDS} rounds, ${JSON.stringify(falls)}, ${prices.dips} dips, ${faults.length} faults`,
      );
  }
  const all = [...latencies.values()].flat();
  const fromReceiptMs = all.length > 0 ? summary(all) : null;
  const fromReceiptMsByScene = Object.fromEntries(
    [...latencies].map(([scene, some]) => [scene, summary(some)]),
  );
  const byScene = Object.fromEntries(SCENES.map((scene) => [scene, falls[scene] ?? 0]));
  const fallsBelowOne = Object.values(byScene).reduce((sum, each) => sum + each, 0);
  // A scene without falls would pass without a check.
  const isExercised = prices.dips > 0 && Object.values(byScene).every((each) => each > 0);
  const isInTime = (fromReceiptMs?.p99 ?? Infinity) <= AIM_MS.p99;
  return {
    seed,
    fallsBelowOne,
    byScene,
    alerts,
    dipsWithinBlocks: prices.dips,
    faults,
    fromReceiptMs,
    fromReceiptMsByScene,
    passed: isExercised && faults.length === 0 && isInTime,
  };
}

async function play(scene: Scene, prices: Prices, { services }: Platform): Promise<void> {
  if (scene !== 'restart') return prices[scene]();
  await services.alerts.kill9();
  await prices.shock();
  await prices.burst();
  await services.alerts.start();
}

const headOf = async (rpc: AnvilRpc): Promise<number> => Number(await rpc.request('eth_blockNumber', []));

/** Returns every fall below 1 from one block to the next, after `from` up to `to`. */
async function fallsBetween(rpc: AnvilRpc, platform: Platform, from: number, to: number): Promise<Fall[]> {
  const falls: Fall[] = [];
  let below = await walletsBelowOne(rpc, platform, from);
  for (let block = from + 1; block <= to; block += 1) {
    const now = await walletsBelowOne(rpc, platform, block);
    for (const wallet of now) if (!below.has(wallet)) falls.push({ wallet, block });
    below = now;
  }
  return falls;
}

/** When a block was mined. Undefined for a block of the chain's clock. */
function receiptOf(receipts: readonly Receipt[], block: number): Receipt | undefined {
  return receipts.find((receipt) => receipt.block === block);
}
