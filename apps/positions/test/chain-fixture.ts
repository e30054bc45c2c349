import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type DevnetAddresses,
  type SeedPlan,
  type SeededWallet,
  deployDevnet,
  devnetAsset,
  registryOverlay,
  seedPositions,
} from '@plimsoll/devnet';
import type { ChainEndpoint } from '@plimsoll/evm';
import { type OwnPart, createTestFolder, startOwnEvm } from '@plimsoll/testing';
import { type Hex, decodeFunctionResult, encodeFunctionData, maxUint256, numberToHex, parseAbi } from 'viem';

const poolAbi = parseAbi([
  'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
  'function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)',
]);

/** The contract's own figures of a wallet. The health factor is null without debt. */
export interface ContractFigures {
  totalCollateralRaw: bigint;
  totalDebtRaw: bigint;
  healthFactorRaw: bigint | null;
}

/** A local chain with the devnet's market and its seeded wallets. */
export interface ChainFixture {
  node: OwnPart;
  addresses: DevnetAddresses;
  wallets: SeededWallet[];
  overlayPath: string;
  endpoint: ChainEndpoint;
  rpc<T>(method: string, params: readonly unknown[]): Promise<T>;
  /** A wallet withdraws its supply. maxUint256: all of it. */
  withdraw(wallet: string, symbol: string, amount: bigint): Promise<void>;
  accountData(wallet: string, block: number): Promise<ContractFigures>;
  /** The node sends no response until `resume`, as if it were overloaded or disconnected. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Calls a JSON-RPC method of a node. Throws the error of the node. */
export async function callNode<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(20_000),
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** @param plans the seeds of the wallets; default all of the demo */
export async function startChain(chainId = 1, plans?: readonly SeedPlan[]): Promise<ChainFixture> {
  const node = await startOwnEvm({ chainId });
  const folder = await createTestFolder();
  const addresses = await deployDevnet({ rpcUrl: node.url, chainId });
  const wallets = await seedPositions(node.url, addresses, plans);
  const overlayPath = path.join(folder.path, 'registry-overlay.json');
  await writeFile(overlayPath, JSON.stringify(registryOverlay(addresses)));

  const rpc = <T>(method: string, params: readonly unknown[]): Promise<T> =>
    callNode<T>(node.url, method, params);
  return {
    node,
    addresses,
    wallets,
    overlayPath,
    endpoint: { chainId, rpcUrl: node.url, wsUrl: node.url.replace('http', 'ws') },
    rpc,
    withdraw: async (wallet, symbol, amount) => {
      const asset = devnetAsset(addresses, symbol).address;
      const data = encodeFunctionData({
        abi: poolAbi,
        functionName: 'withdraw',
        args: [asset, amount, wallet as Hex],
      });
      await rpc('anvil_impersonateAccount', [wallet]);
      const call = { from: wallet, to: addresses.pool, data, gas: numberToHex(800_000n) };
      const receipt = await rpc<{ status: Hex }>('eth_sendTransactionSync', [call]);
      if (receipt.status !== '0x1') throw new Error(`${wallet} cannot withdraw ${amount} ${symbol}`);
    },
    accountData: async (wallet, block) => {
      const data = encodeFunctionData({
        abi: poolAbi,
        functionName: 'getUserAccountData',
        args: [wallet as Hex],
      });
      const answer = await rpc<Hex>('eth_call', [{ to: addresses.pool, data }, numberToHex(block)]);
      const [totalCollateralRaw, totalDebtRaw, , , , healthFactor] = decodeFunctionResult({
        abi: poolAbi,
        functionName: 'getUserAccountData',
        data: answer,
      });
      return {
        totalCollateralRaw,
        totalDebtRaw,
        healthFactorRaw: healthFactor === maxUint256 ? null : healthFactor,
      };
    },
    pause: () => void process.kill(node.pid, 'SIGSTOP'),
    resume: () => void process.kill(node.pid, 'SIGCONT'),
    close: async () => {
      await node.dispose();
      await folder.remove();
    },
  };
}
