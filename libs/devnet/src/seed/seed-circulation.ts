import { encodeFunctionData } from 'viem';
import { tokenAbi } from '../aave/abis';
import { ASSETS } from '../aave/assets';
import { type DevnetAddresses, devnetAsset } from '../addresses';
import { type AnvilRpc, connectAnvil } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';

const TOTAL_SUPPLY = encodeFunctionData({ abi: tokenAbi, functionName: 'totalSupply' });

/**
 * Mints the missing part of each asset's circulation, so that price times supply is a realistic market
 * capitalisation. The token contract itself holds it and cannot move it. A second run mints nothing.
 */
export async function seedCirculation(rpcUrl: string, addresses: DevnetAddresses): Promise<void> {
  const { operator } = addresses;
  const rpc = connectAnvil(rpcUrl);
  const queue = await TransactionQueue.open(rpc, [operator]);
  for (const { symbol, decimals, circulation } of ASSETS) {
    const { address } = devnetAsset(addresses, symbol);
    const lacking = circulation * 10n ** BigInt(decimals) - (await supplyOf(rpc, address));
    if (lacking <= 0n) continue;
    const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [address, lacking] });
    queue.call(operator, `mint the rest of ${symbol}`, address, mint);
  }
  await queue.flush();
}

async function supplyOf(rpc: AnvilRpc, token: string): Promise<bigint> {
  return BigInt(await rpc.request<string>('eth_call', [{ to: token, data: TOTAL_SUPPLY }, 'latest']));
}
