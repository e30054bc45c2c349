import { checksumAddress } from '@plimsoll/contracts';
import { type AnvilRpc, connectAnvil, type SeedPlan, seededRandom } from '@plimsoll/devnet';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { apiClient } from '../../test/platform/api-client';
import type { Platform } from '../../test/platform/start-platform';
import { alarmsSince, pause, walletsBelowOne } from '../alarm/observe';
import { onPlatform } from '../flow/on-platform';
import { summary } from '../flow/percentile';
import { Prices, type Receipt } from './scenes';

export const description =
  'shocks that are hard to follow (bursts, bounces, depegs, interest, restarts): falls below 1 against alerts [--seed N]';

const ROUNDS = 60;
const POSITIONS = 48;
const DEFAULT_SEED = 7;
const LONGEST_MS = 1_000;
const SETTLE_MS = 2_000;
const RESTART_MS = 30_000;

type Leg = Readonly<Record<string, number>>;
/** Eight positions of each kind, at health factors from the lowest one up. */
const KINDS: readonly { held: Leg; owed: Leg; lowest: number; step: number; eMode?: boolean }[] = [
  { held: { WETH: 1 }, owed: { USDC: 1 }, lowest: 1.04, step: 0.02 },
  { held: { WBTC: 1 }, owed: { USDC: 1 }, lowest: 1.08, step: 0.02 },
  { held: { LINK: 1 }, owed: { DAI: 1 }, lowest: 1.08, step: 0.02 },
  { held: { WETH: 0.6, WBTC: 0.4 }, owed: { USDC: 0.5, DAI: 0.5 }, lowest: 1.06, step: 0.02 },
  { held: { WBTC: 1 }, owed: { WETH: 1 }, lowest: 1.12, step: 0.02 },
  { held: { USDC: 1 }, owed: { DAI: 1 }, lowest: 1.007, step: 0.002, eMode: true },
];
const PLANS: readonly SeedPlan[] = Array.from({ length: POSITIONS }, (_, at) => {
  const { held, owed, lowest, step, eMode = false } = KINDS[at % KINDS.length]!;
  const healthFactor = lowest + Math.floor(at / KINDS.length) * step;
  return {
    label: `position ${at + 1}`,
    suppliedUsd: 20_000,
    supplies: Object.entries(held).map(([symbol, share]) => ({ symbol, share, asCollateral: true })),
    borrows: Object.entries(owed).map(([symbol, share]) => ({ symbol, share, rate: 'variable' as const })),
    healthFactor: Math.round(healthFactor * 1e4) / 1e4,
    eMode,
  };
});

const SCENES = ['shock', 'burst', 'bounce', 'shock', 'flash', 'drift', 'burst', 'bounce', 'restart'] as const;
type Scene = (typeof SCENES)[number];

/** Standard output contains only the result. */
const progress = (line: string): void => console.error(line);

/** A fall below 1 in one block. */
interface Fall {
  wallet: string;
  block: number;
}

/** @param args `--seed N` for other shocks */
export async function run(args: readonly string[] = []): Promise<object> {
  const at = args.indexOf('--seed');
  const seed = at < 0 ? DEFAULT_SEED : Number(args[at + 1]);
  if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number');
  const receiver = await startReceiver();
  try {
    return await onPlatform(PLANS, progress, (platform) => measure(platform, receiver, seed));
  } finally {
    await receiver.close();
  }
}

async function measure(platform: Platform, receiver: Receiver, seed: number): Promise<object> {
  const rpc = connectAnvil(platform.rpcUrl);
  const key = await platform.createKey('enterprise', 10_000);
  const api = apiClient(platform.baseUrl, key);
  await api.post('/webhooks', { url: `${receiver.url}/hook`, events: ['alert.created', 'position.updated'] });
  for (const { address } of platform.wallets) await api.post('/wallets', { address });
  const last = checksumAddress(platform.wallets.at(-1)!.address);
  await receiver.waitForRequest(({ body }) => body.includes(last), 30_000);
  await pause(SETTLE_MS);

  const prices = new Prices(platform, rpc, seededRandom(seed));
  const latencies: number[] = [];
  const faults: string[] = [];
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
          if (receipt) latencies.push(alarm.receivedAtMs - receipt.atMs);
        });
    }
    if ((round + 1) % 9 === 0)
      progress(`${round + 1} of ${ROUNDS} rounds, ${JSON.stringify(falls)}, ${faults.length} faults`);
  }
  const fromReceiptMs = latencies.length > 0 ? summary(latencies) : null;
  const total = Object.values(falls).reduce((sum, each) => sum + each, 0);
  return {
    bench: 'alarm-hard',
    seed,
    rounds: ROUNDS,
    positions: POSITIONS,
    fallsBelowOne: total,
    byScene: falls,
    faults,
    fromReceiptMs,
    aimMs: { p99: LONGEST_MS },
    passed: total > 0 && faults.length === 0 && (fromReceiptMs?.p99 ?? Infinity) <= LONGEST_MS,
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

/** The receipt of the price of a block. Undefined for a block of interest only. */
function receiptOf(receipts: readonly Receipt[], block: number): Receipt | undefined {
  return receipts.find((receipt) => receipt.block === block);
}
