import { decodeFunctionResult, encodeFunctionData, numberToHex, type Address, type Hex } from 'viem';
import { marketSymbol } from '../aave/assets';
import { devnetAsset, type DevnetAddresses } from '../addresses';
import { RefusedAct } from '../evm/refused-act';
import { connectAnvil, type AnvilRpc } from '../evm/rpc';
import type { Receipt, TransactionQueue } from '../evm/transaction-queue';
import { PRICE_DECIMALS, priceFeedAbi } from '../price-feed/price-feed';

const SET_GAS = 120_000n;
/** Far above every real price, and far below what the contracts can multiply. */
const MOST_USD = 1e15;

/** The transaction and the block of a price change. */
export interface PriceChange {
  symbol: string;
  priceRaw: bigint;
  transactionHash: Hex;
  blockNumber: bigint;
}

/** US dollars in the format of the feeds, with 8 decimals. @throws RefusedAct when not a positive number up to 10^15 */
export function toPriceRaw(usd: number): bigint {
  if (!(usd > 0 && usd <= MOST_USD))
    throw new RefusedAct(`${usd} is no price: give a positive number of US dollars, at most ${MOST_USD}`);
  return BigInt(Math.max(1, Math.round(usd * 10 ** PRICE_DECIMALS)));
}

/**
 * Sets the price of one asset (US dollars) by one transaction and waits for its receipt. ETH and BTC mean
 * WETH and WBTC.
 */
export async function setPrice(
  rpcUrl: string,
  addresses: DevnetAddresses,
  symbol: string,
  usd: number,
): Promise<PriceChange> {
  return sendPrice(connectAnvil(rpcUrl), addresses, marketSymbol(symbol), toPriceRaw(usd));
}

/** As setPrice, over an existing connection and with the raw price. */
export async function sendPrice(
  rpc: AnvilRpc,
  addresses: DevnetAddresses,
  symbol: string,
  priceRaw: bigint,
): Promise<PriceChange> {
  const { to, data } = callOf(addresses, symbol, priceRaw);
  const receipt = await rpc.request<Receipt>('eth_sendTransactionSync', [
    { from: addresses.operator, to, data, gas: numberToHex(SET_GAS) },
  ]);
  if (receipt.status !== '0x1')
    throw new RefusedAct(`setting the price of ${symbol} reverted: deploy the devnet again`);
  return { symbol, priceRaw, ...placeOf(receipt) };
}

/** Queues a price change: the changes of one flush are in one block. */
export function queuePrice(
  queue: TransactionQueue,
  addresses: DevnetAddresses,
  symbol: string,
  priceRaw: bigint,
): void {
  const { to, data } = callOf(addresses, symbol, priceRaw);
  queue.call(addresses.operator, `the price of ${symbol}`, to, data, SET_GAS);
}

/** Where a price change is on the chain. */
export function placeOf({
  transactionHash,
  blockNumber,
}: Receipt): Pick<PriceChange, 'transactionHash' | 'blockNumber'> {
  return { transactionHash, blockNumber: BigInt(blockNumber) };
}

function callOf(addresses: DevnetAddresses, symbol: string, priceRaw: bigint): { to: Address; data: Hex } {
  return {
    to: devnetAsset(addresses, symbol).aggregator,
    data: encodeFunctionData({ abi: priceFeedAbi, functionName: 'setAnswer', args: [priceRaw] }),
  };
}

/** The current prices on the chain, raw with 8 decimals, by symbol. */
export async function readPrices(rpc: AnvilRpc, addresses: DevnetAddresses): Promise<Map<string, bigint>> {
  const data = encodeFunctionData({ abi: priceFeedAbi, functionName: 'latestAnswer' });
  const entries = Object.entries(addresses.assets).map(
    async ([symbol, { aggregator }]): Promise<[string, bigint]> => {
      const response = await rpc.request<Hex>('eth_call', [{ to: aggregator, data }, 'latest']);
      return [
        symbol,
        decodeFunctionResult({ abi: priceFeedAbi, functionName: 'latestAnswer', data: response }),
      ];
    },
  );
  return new Map(await Promise.all(entries));
}
