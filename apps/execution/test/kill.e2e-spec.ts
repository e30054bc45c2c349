import { setTimeout as delay } from 'node:timers/promises';
import { writePolicies } from '@plimsoll/devnet-executor';
import { runOutcomes } from '@plimsoll/executor';
import { type Log, hexToNumber } from 'viem';
import { keeperOf } from './keeper';
import { KILLED_AT, type KillScene, type KilledAt, openScene } from './kill-scene';
import type { KillPoint } from './killing-node';
import { type LocalMarket, ethPlan, startMarket } from './local-market';
import { type TestUpstream, startUpstream } from './upstream';
import { policyTarget } from './write-policy';

/** In parallel, each with its own database, key and process. */
const SCENES = ['one', 'two', 'three', 'four', 'five'];
/** Executions in flight when a process is killed. */
const EACH = 2;
/**
 * Moments in the life of an execution: requested, planned, priced for gas, signed, being sent, sent,
 * followed, in a block. Two executions reach each of them at any speed: one receipt each is certain, and
 * the head is read after every receipt.
 */
const POINTS: readonly KillPoint[] = [
  { method: 'eth_simulateV1', nth: 3, when: 'before' },
  { method: 'eth_simulateV1', nth: 20, when: 'after' },
  { method: 'eth_maxPriorityFeePerGas', nth: 1, when: 'after' },
  { method: 'eth_getTransactionCount', nth: 1, when: 'after' },
  { method: 'eth_getTransactionReceipt', nth: 1, when: 'before' },
  { method: 'eth_sendRawTransaction', nth: 1, when: 'before' },
  { method: 'eth_sendRawTransaction', nth: 1, when: 'after' },
  { method: 'eth_sendRawTransaction', nth: 2, when: 'after' },
  { method: 'eth_getTransactionReceipt', nth: 2, when: 'after' },
  { method: 'eth_getBlockByNumber', nth: 1, when: 'before', isIncluded: true },
];
const KILLS = SCENES.length * POINTS.length;
const COUNT = KILLS * EACH;
const BLOCK_MS = 250;

describe(`${COUNT} executions, their process killed ${KILLS} times`, () => {
  const keepers = SCENES.map((name) => keeperOf(name).address);
  let market: LocalMarket;
  let upstream: TestUpstream;
  let lanes: KillScene[] = [];
  let miner: Promise<void> | undefined;
  const done = new AbortController();

  beforeAll(async () => {
    market = await startMarket(
      Array.from({ length: COUNT }, (_, index) => ethPlan(`kill ${index}`, 1.1)),
      { keepers },
    );
    await writePolicies(policyTarget(market), market.wallets, ['flash_loan_unwind']);
    upstream = await startUpstream();
    for (const [symbol, price] of market.prices()) upstream.prices.set(symbol, price);
    for (const { address } of market.wallets) {
      const place = market.venueOf(address);
      upstream.venues.set(place.id, place);
    }
    lanes = await Promise.all(SCENES.map((name) => openScene(market, name, upstream.origin)));
    await market.rpc.request('evm_setAutomine', [false]);
    miner = mineUntil(done.signal);
  }, 180_000);

  afterAll(async () => {
    done.abort();
    await miner;
    await Promise.all(lanes.map((lane) => lane.close()));
    await upstream?.close();
    await market?.close();
  }, 60_000);

  async function mineUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await market.mine();
      await delay(BLOCK_MS);
    }
  }

  it('are each sent once, and all end at their target', async () => {
    const killedAt: KilledAt[] = [];
    let wallets = 0;
    const next = () => market.wallets.slice(wallets, (wallets += EACH));
    await Promise.all(
      lanes.map(async (lane, at) => {
        // Each starts at another point, so that they differ at any time.
        const points = [...POINTS.slice(at * 2), ...POINTS.slice(0, at * 2)];
        for (const point of points) killedAt.push(...(await lane.kill(point, next())));
      }),
    );
    expect(killedAt).toHaveLength(COUNT);
    expect(KILLED_AT.filter((state) => !killedAt.includes(state))).toEqual([]);

    const ended = (await Promise.all(lanes.map((lane) => lane.ended()))).flat();
    expect(ended).toHaveLength(COUNT);
    expect(ended.filter(({ status }) => status !== 'completed')).toEqual([]);
    for (const { healthFactorAfter } of ended) expect(Math.abs(healthFactorAfter / 2 - 1)).toBeLessThan(1e-3);

    const logs = await market.rpc.request<Log[]>('eth_getLogs', [
      { address: market.executor!.aaveV3, fromBlock: '0x0', toBlock: 'latest' },
    ]);
    const runs = runOutcomes(market.executor!.aaveV3, logs);
    expect(runs).toHaveLength(COUNT);
    expect(new Set(runs.map(({ owner }) => owner)).size).toBe(COUNT);

    // As many transactions as executions: every nonce was used, and none was skipped.
    const used = await Promise.all(
      keepers.map((keeper) =>
        market.rpc.request<`0x${string}`>('eth_getTransactionCount', [keeper, 'latest']),
      ),
    );
    expect(used.map((count) => hexToNumber(count))).toEqual(SCENES.map(() => POINTS.length * EACH));
  }, 600_000);
});
