import {
  connectAnvil,
  tokenAbi,
  tokenAmount,
  TransactionQueue,
  USD,
  type DevnetAddresses,
} from '@plimsoll/devnet';
import {
  devnetSwapPoolAbi,
  devnetSwapPoolCode,
  encodeDeployExecutor,
  executorAbi,
  type ExecutorName,
} from '@plimsoll/executor';
import { encodeFunctionData, type Address } from 'viem';

/** The share of a swap's value at the feeds that the devnet's swap pool keeps. */
export const DEVNET_SPREAD_BPS = 10n;

/** The executors of the devnet's markets, and the pool that swaps for them. */
export interface ExecutorAddresses {
  aaveV3: Address;
  /** Set if the devnet has a Morpho Blue. */
  morphoBlue?: Address;
  /** Set if the devnet has a pool of Venus. */
  compoundV2?: Address;
  swapPort: Address;
}

/** The markets on the devnet beside its Aave market. */
export interface OtherMarkets {
  /** It also lends for the flash loans of `comptroller`. */
  morpho?: Address;
  comptroller?: Address;
}

/** The swap pool's initial balance of each asset. */
const INVENTORY_USD = 500_000_000n * USD;

/**
 * Deploys the executors for the devnet's markets and a swap pool that trades every listed asset at its feed.
 * The operator owns them all.
 * @param keepers addresses that may trigger runs
 * @throws when a transaction reverts
 */
export async function deployExecutor(
  rpcUrl: string,
  addresses: DevnetAddresses,
  keepers: readonly Address[],
  { morpho, comptroller }: OtherMarkets = {},
): Promise<ExecutorAddresses> {
  const { operator: owner, pool } = addresses;
  const queue = await TransactionQueue.open(connectAnvil(rpcUrl), [owner]);
  const swapPort = queueSwapPool(queue, addresses);
  const create = (name: ExecutorName, market: Address, flashLender?: Address): Address => {
    const data = encodeDeployExecutor(name, { owner, markets: [market], flashLender });
    const executor = queue.create(owner, name, data);
    for (const keeper of keepers) {
      const args = [keeper, true] as const;
      const setKeeper = encodeFunctionData({ abi: executorAbi, functionName: 'setKeeper', args });
      queue.call(owner, `keeper ${keeper}`, executor, setKeeper);
    }
    return executor;
  };
  const executors = {
    aaveV3: create('AaveV3Executor', pool),
    ...(morpho && { morphoBlue: create('MorphoBlueExecutor', morpho) }),
    ...(comptroller && { compoundV2: create('CompoundV2Executor', comptroller, morpho) }),
    swapPort,
  };
  await queue.flush();
  return executors;
}

function queueSwapPool(queue: TransactionQueue, { operator, assets }: DevnetAddresses): Address {
  const abi = devnetSwapPoolAbi;
  const swapPort = queue.deploy(operator, 'swap pool', abi, devnetSwapPoolCode, [DEVNET_SPREAD_BPS]);
  for (const [symbol, { address, aggregator }] of Object.entries(assets)) {
    const setFeed = encodeFunctionData({ abi, functionName: 'setFeed', args: [address, aggregator] });
    queue.call(operator, `feed of ${symbol}`, swapPort, setFeed);
    const amount = tokenAmount(symbol, INVENTORY_USD);
    const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [swapPort, amount] });
    queue.call(operator, `mint ${symbol} for the swap pool`, address, mint);
  }
  return swapPort;
}
