import { parseArgs } from 'node:util';
import { checksumAddress } from '@plimsoll/contracts';
import { assetListing, connectAnvil, type SeedPlan, seededRandom, setPrice } from '@plimsoll/devnet';
import { type Receiver, startReceiver } from '@plimsoll/testing';
import { apiClient } from '../../test/platform/api-client';
import type { Platform } from '../../test/platform/start-platform';
import { onPlatform } from '../flow/on-platform';
import { summary } from '../flow/percentile';
import { alarmsSince, pause, walletsBelowOne } from './observe';

export const description =
  'fifty shocks of random size: each fall below a health factor of 1 against the alerts about it [--seed N]';

const SHOCKS = 50;
const POSITIONS = 40;
const DEFAULT_SEED = 26;
const LONGEST_MS = 1_000;
/** The time after a shock in which a second alert about the same fall would arrive. */
const SETTLE_MS = 1_500;
const LOWEST_HEALTH_FACTOR = 1.02;
/** Share of the seeded price that shocks stay within. */
const PRICES = { low: 0.7, high: 1.15 };

/** WETH against USDC, from a few percent above 1 to well within safety. */
const PLANS: readonly SeedPlan[] = Array.from({ length: POSITIONS }, (_, i) => ({
  label: `position ${i + 1}`,
  suppliedUsd: 20_000,
  supplies: [{ symbol: 'WETH', share: 1, asCollateral: true }],
  borrows: [{ symbol: 'USDC', share: 1, rate: 'variable' }],
  healthFactor: Math.round((LOWEST_HEALTH_FACTOR + i * 0.013) * 1e4) / 1e4,
  eMode: false,
}));

/** Standard output contains only the result. */
const progress = (line: string): void => console.error(line);

/**
 * Shocks the price of ETH by random factors, reads after each one from the protocol itself which wallets fell
 * below 1, and counts the alerts about them. @param args `--seed N` for another series of shocks
 */
export async function run(args: readonly string[] = []): Promise<object> {
  const { values } = parseArgs({
    args: [...args],
    options: { seed: { type: 'string', default: String(DEFAULT_SEED) } },
  });
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number');
  const receiver = await startReceiver();
  try {
    return await onPlatform(PLANS, progress, (platform) => measure(platform, receiver, seed));
  } finally {
    await receiver.close();
  }
}

async function measure(platform: Platform, receiver: Receiver, seed: number): Promise<object> {
  const random = seededRandom(seed);
  const rpc = connectAnvil(platform.rpcUrl);
  const key = await platform.createKey('enterprise', 10_000);
  const api = apiClient(platform.baseUrl, key);
  // The endpoint first, because the state of the wallets is published only once.
  await api.post('/webhooks', { url: `${receiver.url}/hook`, events: ['alert.created', 'position.updated'] });
  for (const { address } of platform.wallets) await api.post('/wallets', { address });
  const [first] = platform.wallets;
  await receiver.waitForRequest(({ body }) => body.includes(checksumAddress(first!.address)), 30_000);
  await pause(SETTLE_MS);

  const seededUsd = Number(assetListing('WETH').priceUsd) / 1e8;
  const latencies: number[] = [];
  const faults: string[] = [];
  let falls = 0;
  let factor = 1;
  let below = await walletsBelowOne(rpc, platform);
  for (let shock = 1; shock <= SHOCKS; shock += 1) {
    // Steps of all sizes, up to 20 % in both directions, towards the middle at the ends of the range.
    const step = Math.exp((random() - 0.5) * 0.4 * random());
    factor = Math.min(PRICES.high, Math.max(PRICES.low, factor * step));
    await setPrice(platform.rpcUrl, platform.devnet, 'WETH', seededUsd * factor);
    const receiptMs = performance.now();
    const now = await walletsBelowOne(rpc, platform);
    const fell = [...now].filter((wallet) => !below.has(wallet));
    below = now;
    falls += fell.length;
    await pause(SETTLE_MS);
    const alarms = alarmsSince(receiver, receiptMs);
    for (const wallet of fell) {
      const own = alarms.filter((alarm) => alarm.wallet === wallet);
      if (own.length !== 1) faults.push(`shock ${shock}: ${own.length} alerts about ${wallet}`);
      for (const { receivedAtMs } of own) latencies.push(receivedAtMs - receiptMs);
    }
    for (const { wallet } of alarms)
      if (!fell.includes(wallet)) faults.push(`shock ${shock}: an alert about ${wallet}, which did not fall`);
    if (shock % 10 === 0) progress(`${shock} of ${SHOCKS} shocks, ${falls} falls`);
  }
  const fromReceiptMs = latencies.length > 0 ? summary(latencies) : null;
  return {
    bench: 'alarm',
    seed,
    shocks: SHOCKS,
    positions: POSITIONS,
    fallsBelowOne: falls,
    alertsAboutThem: latencies.length,
    faults,
    fromReceiptMs,
    aimMs: { p99: LONGEST_MS },
    passed: falls > 0 && faults.length === 0 && (fromReceiptMs?.p99 ?? Infinity) <= LONGEST_MS,
  };
}
