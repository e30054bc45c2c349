import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type AnvilRpc,
  type DevnetAddresses,
  type MorphoAddresses,
  connectAnvil,
  deployDevnet,
  deployMorpho,
  devnetAsset,
  registryOverlay,
} from '@plimsoll/devnet';
import type { ChainEndpoint } from '@plimsoll/evm';
import { type OwnPart, createTestFolder, startOwnEvm } from '@plimsoll/testing';
import {
  type Address,
  type Hex,
  encodeFunctionData,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem';

const tokenAbi = parseAbi([
  'function mint(address account, uint256 value) returns (bool)',
  'function approve(address spender, uint256 value) returns (bool)',
]);

/** A local chain with the genuine Aave v3.0 and Morpho Blue, which mines each transaction immediately. */
export interface ChainFixture {
  node: OwnPart;
  rpc: AnvilRpc;
  addresses: DevnetAddresses;
  morpho: MorphoAddresses;
  overlayPath: string;
  endpoint: ChainEndpoint;
  token(symbol: string): Address;
  /**
   * Sends a transaction from any address and returns its hash.
   * @throws when it reverts
   */
  send(from: Address, to: Address, data: Hex): Promise<Hex>;
  /** Gives wallets tokens and approves the protocols. */
  fund(symbol: string, amount: bigint, ...wallets: Address[]): Promise<void>;
  head(): Promise<number>;
  close(): Promise<void>;
}

export async function startChain(chainId = 1): Promise<ChainFixture> {
  const node = await startOwnEvm({ chainId });
  const folder = await createTestFolder();
  const addresses = await deployDevnet({ rpcUrl: node.url, chainId });
  const morpho = await deployMorpho(node.url, addresses, [
    { loan: 'USDC', collateral: 'WETH', lltv: 86n * 10n ** 16n, price: 2_500n * 10n ** 24n },
  ]);
  const overlay = registryOverlay(addresses);
  overlay.protocols.push({ id: 'morpho-blue', chains: { [chainId]: { morpho: morpho.morpho } } } as never);
  const overlayPath = path.join(folder.path, 'registry-overlay.json');
  await writeFile(overlayPath, JSON.stringify(overlay));
  const rpc = connectAnvil(node.url);
  const known = new Set<Address>();
  const token = (symbol: string): Address => devnetAsset(addresses, symbol).address;

  const send = async (from: Address, to: Address, data: Hex): Promise<Hex> => {
    if (!known.has(from)) {
      known.add(from);
      await rpc.request('anvil_setBalance', [from, numberToHex(parseEther('10'))]);
      await rpc.request('anvil_impersonateAccount', [from]);
    }
    const call = { from, to, data, gas: numberToHex(1_500_000n) };
    const receipt = await rpc.request<{ status: Hex; transactionHash: Hex }>('eth_sendTransactionSync', [
      call,
    ]);
    if (receipt.status !== '0x1') throw new Error(`a call of ${to} by ${from} reverted`);
    return receipt.transactionHash;
  };
  return {
    node,
    rpc,
    addresses,
    morpho,
    overlayPath,
    endpoint: { chainId, rpcUrl: node.url, wsUrl: node.url.replace('http', 'ws') },
    token,
    send,
    fund: async (symbol, amount, ...wallets) => {
      for (const wallet of wallets) {
        const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [wallet, amount] });
        await send(addresses.operator, token(symbol), mint);
        for (const spender of [addresses.pool, morpho.morpho]) {
          const args = [spender, maxUint256] as const;
          await send(
            wallet,
            token(symbol),
            encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }),
          );
        }
      }
    },
    head: async () => Number(await rpc.request<Hex>('eth_blockNumber', [])),
    close: async () => {
      await node.dispose();
      await folder.remove();
    },
  };
}
