import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { PartError, startEvm, type PartOptions, type RunningPart } from '@plimsoll/local-parts';
import { removeOldBlocksApart } from './chain-state';
import { compileContracts } from './contracts';
import type { MarketAddresses } from './deploy-market';
import { readJsonFile, writeJsonFile } from '../settings/json-file';
import { startPart, type StartContext } from './start-parts';
import type { ChainConfig } from '../settings/stack-config';

export type { MarketAddresses } from './deploy-market';

const PREFERRED_PORT = 18_545;
/** As on Base. A transaction is mined at once. */
const BLOCK_SECONDS = 2;
/**
 * Every service handles each block, so blocks of a chain without transactions are most of the CPU at rest. The status
 * of a chain with short blocks is degraded when its newest one is ten seconds old.
 */
const IDLE_BLOCK_SECONDS = 8;
/**
 * Readers read the newest blocks and the one before a move: half a minute is enough. Anvil copies the hashes of
 * all blocks for each readable block. With 64, and all transactions kept, a chain grew by 213 MB in an hour.
 */
const READABLE_BLOCKS = 16;
/** A service that was away for ten minutes can still read every log. */
const FULL_BLOCKS = 512;
/** Half an hour of a moving market: 10 MB. The chain then starts again, in half a second. */
const MOST_BLOCKS = 1_024;
const SAVE_SECONDS = 60;
/** The comptroller of Venus is above Ethereum's limit. */
const CODE_SIZE_LIMIT_BYTES = 60_000;

/** A running chain. */
export interface RunningChain {
  chainId: number;
  rpcUrl: string;
  /** The market on the chain. Undefined on a chain from outside. */
  addresses: MarketAddresses | undefined;
}

/**
 * Starts a local chain with its market and seeded positions, or uses the node of the environment unchanged.
 */
export async function startChain(
  context: StartContext,
  chain: ChainConfig,
  index: number,
): Promise<RunningChain> {
  const { chainId } = chain;
  const name = `evm-${chainId}`;
  const folder = path.join(context.paths.data, name);
  const addressFile = marketFile(context, chainId);
  const known = readJsonFile<MarketAddresses>(addressFile);
  // Compiling is the longest step of a first start, so it runs beside the others.
  if (!known && chain.rpcUrl === undefined) void compileContracts(context.paths);
  // An interrupted first start leaves a state without a finished market.
  if (!known) await rm(statePathOf(folder), { force: true });
  const rpcUrl = await startPart(context, name, chain.rpcUrl, PREFERRED_PORT + index, (options) =>
    startNode(options, chainId),
  );
  if (chain.rpcUrl !== undefined) return { chainId, rpcUrl, addresses: undefined };
  // Loaded while the parts start, because it takes a second of a core.
  const { deployMarket, isComplete, isDeployed, seededWallets } = await import('./deploy-market');
  const standing = known && (await isDeployed(rpcUrl, known)) ? known : undefined;
  if (standing && isComplete(chainId, standing)) return { chainId, rpcUrl, addresses: standing };

  const addresses = await context.progress.step(
    `market on ${chainId}`,
    () => deployMarket(rpcUrl, chainId, standing, () => compileContracts(context.paths)),
    () => `Aave v3.0, Morpho Blue and Venus, ${seededWallets().length} wallets with positions`,
  );
  writeJsonFile(addressFile, addresses);
  return { chainId, rpcUrl, addresses };
}

/** The file with the addresses of a local market. */
export function marketFile({ paths }: StartContext, chainId: number): string {
  return path.join(paths.data, `evm-${chainId}`, 'market.json');
}

async function startNode(options: PartOptions, chainId: number): Promise<RunningPart> {
  const statePath = statePathOf(options.dataDir);
  await removeOldBlocksApart(statePath, FULL_BLOCKS);
  const start = (): Promise<RunningPart> =>
    startEvm({
      ...options,
      chainId,
      blockTimeSeconds: BLOCK_SECONDS,
      idleBlockTimeSeconds: IDLE_BLOCK_SECONDS,
      readableBlocks: READABLE_BLOCKS,
      fullBlocks: FULL_BLOCKS,
      endsAfterBlocks: MOST_BLOCKS,
      statePath,
      stateIntervalSeconds: SAVE_SECONDS,
      codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES,
    });
  try {
    return await start();
  } catch (error) {
    const isBroken = error instanceof PartError && error.code === 'exited_at_start' && existsSync(statePath);
    if (!isBroken) throw error;
    // A node that is killed while it saves leaves an incomplete state, which it then rejects. The chain
    // starts again.
    await rename(statePath, `${statePath}.broken`);
    return start();
  }
}

function statePathOf(folder: string): string {
  return path.join(folder, 'state.json');
}
