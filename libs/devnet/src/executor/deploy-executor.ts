import { encodeFunctionData, type Address } from 'viem';
import { tokenAbi } from '../aave/abis';
import type { DevnetAddresses } from '../addresses';
import { connectAnvil } from '../evm/rpc';
import { TransactionQueue } from '../evm/transaction-queue';

/** Of what a swap is worth at the feeds, the devnet's swap pool keeps this. */
export const DEVNET_SPREAD_BPS = 10n;

/** The executor of the devnet's Aave market, and the pool that swaps for it. */
export interface ExecutorAddresses {
  aaveV3: Address;
  swapPort: Address;
}

/** Whole tokens of each asset that the swap pool is given to pay with. */
const INVENTORY = 1_000_000_000n;

/**
 * Deploys the executor for the devnet's Aave market and a swap pool that trades every listed asset at its feed. The
 * operator owns both.
 * @param keepers who may trigger runs
 * @throws when a transaction reverts
 */
export async function deployExecutor(
  rpcUrl: string,
  addresses: DevnetAddresses,
  keepers: readonly Address[],
): Promise<ExecutorAddresses> {
  // Loaded here: its code is written by `npm run generate`, without which all else of the devnet works.
  const { devnetSwapPoolAbi, devnetSwapPoolCode, encodeDeployExecutor, executorAbi } =
    await import('@plimsoll/executor');
  const { operator, pool } = addresses;
  const queue = await TransactionQueue.open(connectAnvil(rpcUrl), [operator]);
  const swapPort = queue.deploy(operator, 'swap pool', devnetSwapPoolAbi, devnetSwapPoolCode, [
    DEVNET_SPREAD_BPS,
  ]);
  for (const [symbol, { address, decimals, aggregator }] of Object.entries(addresses.assets)) {
    const setFeed = encodeFunctionData({
      abi: devnetSwapPoolAbi,
      functionName: 'setFeed',
      args: [address, aggregator],
    });
    queue.call(operator, `feed of ${symbol}`, swapPort, setFeed);
    const amount = INVENTORY * 10n ** BigInt(decimals);
    const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [swapPort, amount] });
    queue.call(operator, `mint ${symbol} for the swap pool`, address, mint);
  }
  const aaveV3 = queue.create(
    operator,
    'executor of Aave v3',
    encodeDeployExecutor('AaveV3Executor', { owner: operator, markets: [pool] }),
  );
  for (const keeper of keepers) {
    const setKeeper = encodeFunctionData({
      abi: executorAbi,
      functionName: 'setKeeper',
      args: [keeper, true],
    });
    queue.call(operator, `keeper ${keeper}`, aaveV3, setKeeper);
  }
  await queue.flush();
  return { aaveV3, swapPort };
}
