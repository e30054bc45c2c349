import type { PositionBatch } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { percentile } from '../flow/percentile';
import { type ReadScene, startReadScene } from './read-scene';

const ROUNDS = 5;
const WARM_CALLS = 200;
const BATCH_WALLETS = 100;
const RPC_WALLETS = 50;

/** Wallets read over all protocols of the local chains: cold at a new block each round, then warm at one block. */
export async function measureReads(
  parts: { databaseUrl: string; kafkaBrokers: string },
  progress: (line: string) => void,
): Promise<object> {
  progress('seeding two chains with Aave v3, Morpho Blue and an isolated pool of Venus');
  const scene = await startReadScene(parts);
  try {
    progress('reading cold');
    const cold = [];
    for (let round = 0; round < ROUNDS; round += 1) cold.push(await coldRound(scene));
    const rpcCalls = await rpcCallsOf(scene);
    progress('reading warm');
    await batch(scene, scene.wallets.slice(0, BATCH_WALLETS));
    const warm = [];
    for (let call = 0; call < WARM_CALLS; call += 1)
      warm.push(await timed(() => batch(scene, scene.wallets.slice(0, BATCH_WALLETS))));
    const { positions } = await batch(scene, scene.wallets.slice(0, BATCH_WALLETS));
    refuseUnseen(scene, positions);
    return {
      chains: scene.chains.length,
      protocols: scene.protocols,
      positionsPerChain: countBy(positions.map(({ chainId }) => String(chainId))),
      positionsPerProtocol: countBy(positions.map(({ protocol }) => protocol)),
      walletsPerSecondCold: Math.round(scene.wallets.length / (percentile(cold, 0.5) / 1_000)),
      rpcCallsPer50WalletsAndChain: rpcCalls,
      rpcCallsPerWalletAndChain: mapOf(rpcCalls, (calls) => calls / RPC_WALLETS),
      batchOf100: {
        positions: positions.length,
        warmMs: { p50: rounded(percentile(warm, 0.5)), p99: rounded(percentile(warm, 0.99)) },
        coldMs: rounded((percentile(cold, 0.5) * BATCH_WALLETS) / scene.wallets.length),
      },
      aim: { rpcCallsPer50WalletsAndChain: 3, warmP50Ms: 300 },
    };
  } finally {
    await scene.stop();
  }
}

/** Milliseconds for all wallets at a block that was not read before, one batch after the other. */
async function coldRound(scene: ReadScene): Promise<number> {
  await newBlocks(scene);
  return timed(async () => {
    for (let from = 0; from < scene.wallets.length; from += BATCH_WALLETS)
      await batch(scene, scene.wallets.slice(from, from + BATCH_WALLETS));
  });
}

/** Requests to each chain's node for wallets that were not read at its block. */
async function rpcCallsOf(scene: ReadScene): Promise<Record<string, number>> {
  await newBlocks(scene);
  const before = scene.chains.map(({ requests }) => requests.total);
  await batch(scene, scene.wallets.slice(0, RPC_WALLETS));
  return Object.fromEntries(
    scene.chains.map(({ chainId, requests }, index) => [chainId, requests.total - before[index]!]),
  );
}

/** Mines one on each chain and waits until it is handled. */
export async function newBlocks(scene: ReadScene): Promise<void> {
  const heads = await Promise.all(scene.chains.map((chain) => chain.mine()));
  await waitFor(
    async () => {
      const { asOfBlock } = await batch(scene, [`0x${'77'.repeat(20)}`]);
      return scene.chains.every(({ chainId }, index) => asOfBlock[chainId] === heads[index]);
    },
    { timeoutMs: 10_000, message: 'the new blocks are handled' },
  );
}

export async function batch({ post }: ReadScene, wallets: readonly string[]): Promise<PositionBatch> {
  const response = await post<PositionBatch>('/v1/positions/batch', { wallets });
  if (response.unreadable.length > 0) throw new Error(`unreadable: ${JSON.stringify(response.unreadable)}`);
  return response;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/**
 * @throws when a protocol of a chain has no position in the measurement, which would otherwise claim to cover
 * it
 */
function refuseUnseen({ chains, protocols }: ReadScene, positions: PositionBatch['positions']): void {
  const seen = new Set(positions.map(({ chainId, protocol }) => `${protocol} on ${chainId}`));
  const all = chains.flatMap(({ chainId }) => protocols.map((protocol) => `${protocol} on ${chainId}`));
  const unseen = all.filter((each) => !seen.has(each));
  if (unseen.length > 0) throw new Error(`no position is in the batch of ${unseen.join(', ')}`);
}

function countBy(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

function mapOf(record: Record<string, number>, change: (value: number) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
