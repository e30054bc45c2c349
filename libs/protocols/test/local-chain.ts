import { readdirSync } from 'node:fs';
import path from 'node:path';
import {
  type AnvilRpc,
  type Artifact,
  type Call,
  PACKAGES_FOLDER,
  compileSolidity,
  connectAnvil,
  installMulticall3,
  dataOf,
  operatorOf,
  queuedChain,
  type QueuedChain,
  seededRandom,
} from '@plimsoll/devnet';
import { Multicall, createChainClient, type BlockRef, type ChainClient } from '@plimsoll/evm';
import type { EvmOptions } from '@plimsoll/local-parts';
import { type OwnPart, startOwnEvm } from '@plimsoll/testing';
import { createPublicClient, http, numberToHex, type Address, type Hex, type PublicClient } from 'viem';

export type { Call };

const CHAIN_ID = 1;
const CONTRACTS_FOLDER = path.join(__dirname, '../../../test/contracts');

/** The test's own EVM node, with the actions that a test of a family needs. */
export interface LocalChain extends QueuedChain {
  node: OwnPart;
  rpc: AnvilRpc;
  client: ChainClient;
  multicall: Multicall;
  multicall3: Address;
  viem: PublicClient;
  /** The results of view calls at a block, in order. @throws when one reverts */
  readMany(calls: readonly Omit<Call, 'from'>[], block: BlockRef): Promise<unknown[]>;
  /** The result that a call would return if it were sent at the block. Null when it reverts. */
  tryCall(call: Call, block: BlockRef, overrides?: Record<Address, unknown>): Promise<Hex | null>;
  passTime(seconds: number): Promise<void>;
  head(): Promise<BlockRef>;
}

/** All contracts of test/contracts, compiled; by name. */
export function standIns(): Record<string, Artifact> {
  const entries = readdirSync(CONTRACTS_FOLDER).filter((name) => name.endsWith('.sol'));
  return compileSolidity({
    compiler: 'solc',
    folders: [CONTRACTS_FOLDER, PACKAGES_FOLDER],
    entries,
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
  });
}

/** Starts the node with Multicall3 on it. Any address may send. */
export async function startLocalChain(
  options: Pick<EvmOptions, 'codeSizeLimitBytes' | 'statePath'> = {},
): Promise<LocalChain> {
  const node = await startOwnEvm({ chainId: CHAIN_ID, ...options });
  const rpc = connectAnvil(node.url);
  const operator = await operatorOf(rpc);
  const multicall3 = await installMulticall3(rpc);
  await rpc.request('anvil_autoImpersonateAccount', [true]);
  const client = createChainClient({ chainId: CHAIN_ID, rpcUrl: node.url });
  const viem = createPublicClient({ transport: http(node.url), cacheTime: 0 });
  const chain: LocalChain = {
    node,
    rpc,
    client,
    multicall: new Multicall(client, multicall3),
    multicall3,
    viem,
    ...queuedChain(rpc, operator),
    readMany: async (calls, { number }) => {
      const contracts = calls.map(({ to, abi, name, args = [] }) => ({
        address: to,
        abi,
        functionName: name,
        args,
      }));
      return viem.multicall({
        contracts,
        multicallAddress: multicall3,
        blockNumber: number,
        allowFailure: false,
        batchSize: 0,
      });
    },
    tryCall: async (call, { number }, overrides) => {
      const transaction = {
        from: call.from ?? operator,
        to: call.to,
        data: dataOf(call),
        gas: numberToHex(5_000_000),
      };
      const params = [transaction, numberToHex(number), ...(overrides ? [overrides] : [])];
      return rpc.request<Hex>('eth_call', params).catch(() => null);
    },
    passTime: async (seconds) => {
      await rpc.request('evm_increaseTime', [seconds]);
      await rpc.request('evm_mine', []);
    },
    head: () => viem.getBlock(),
  };
  return chain;
}

/**
 * Addresses of test wallets, in lower case. No two belong to one Euler owner, which ignores the last byte.
 */
export function testWallets(count: number, first = 0x1000): Address[] {
  return Array.from(
    { length: count },
    (_, index): Address => `0x${(first * 0x1_0000 + index * 0x100).toString(16).padStart(40, 'a')}`,
  );
}

/** Amounts for tests, the same in every run: dust, everyday and huge ones. */
export function amountsFrom(seed: number) {
  const random = seededRandom(seed);
  /** A whole number of [0, limit]. */
  const below = (limit: bigint): bigint => (limit * BigInt(Math.floor(random() * 2 ** 48))) / 2n ** 48n;
  const chance = (probability: number): boolean => random() < probability;
  /** Mostly everyday amounts of a token with these decimals, one in ten dust, one in ten of billions. */
  const amount = (decimals: number): bigint => {
    if (chance(0.1)) return 1n + below(1_000n);
    if (chance(0.1)) return 10n ** BigInt(decimals + 9) + below(10n ** BigInt(decimals + 10));
    return 1n + below(10n ** BigInt(decimals + 1 + Math.floor(random() * 4)));
  };
  return { random, below, chance, amount };
}
