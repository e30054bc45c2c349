import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  deployDevnet,
  isDeployed,
  seedPositions,
  seededWallets,
  type DevnetAddresses,
} from '@plimsoll/devnet';
import { startEvm, type PartOptions, type RunningPart } from '@plimsoll/local-parts';
import { readJsonFile, writeJsonFile } from './json-file';
import { startPart, type StartContext } from './start-parts';
import type { ChainConfig } from './stack-config';

const PREFERRED_PORT = 18_545;
const BLOCK_SECONDS = 1;
const SAVE_SECONDS = 30;

/** A chain that runs. */
export interface RunningChain {
  chainId: number;
  rpcUrl: string;
  /** The market that stands on it; undefined on a chain that someone else runs. */
  addresses: DevnetAddresses | undefined;
}

/** Starts a local chain with its market and seeded positions, or takes the node of the environment as it is. */
export async function startChain(
  context: StartContext,
  chain: ChainConfig,
  index: number,
): Promise<RunningChain> {
  const { chainId } = chain;
  const name = `evm-${chainId}`;
  const folder = path.join(context.paths.data, name);
  const addressFile = path.join(folder, 'market.json');
  const known = readJsonFile<DevnetAddresses>(addressFile);
  // A state without a finished market is what an interrupted first start leaves.
  if (!known) await rm(statePathOf(folder), { force: true });
  const rpcUrl = await startPart(context, name, chain.rpcUrl, PREFERRED_PORT + index, (options) =>
    startNode(options, chainId),
  );
  if (chain.rpcUrl !== undefined) return { chainId, rpcUrl, addresses: undefined };
  if (known && (await isDeployed(rpcUrl, known))) return { chainId, rpcUrl, addresses: known };

  const addresses = await context.progress.step(
    `market on ${chainId}`,
    () => deployMarket(rpcUrl, chainId),
    () => `Aave v3.0, ${seededWallets().length} wallets with positions`,
  );
  writeJsonFile(addressFile, addresses);
  return { chainId, rpcUrl, addresses };
}

/** Addresses of the wallets that hold a position on every local market. */
export function demoWalletAddresses(): string[] {
  return seededWallets().map(({ address }) => address);
}

async function deployMarket(rpcUrl: string, chainId: number): Promise<DevnetAddresses> {
  const addresses = await deployDevnet({ rpcUrl, chainId });
  await seedPositions(rpcUrl, addresses);
  return addresses;
}

function startNode(options: PartOptions, chainId: number): Promise<RunningPart> {
  return startEvm({
    ...options,
    chainId,
    blockTimeSeconds: BLOCK_SECONDS,
    statePath: statePathOf(options.dataDir),
    stateIntervalSeconds: SAVE_SECONDS,
  });
}

function statePathOf(folder: string): string {
  return path.join(folder, 'state.json');
}
