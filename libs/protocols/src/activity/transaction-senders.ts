import { type MinedLog, lowerCase, type ChainClient } from '@plimsoll/evm';
import type { Address, Hex } from 'viem';
import type { Activity } from './activity';

/** Transactions that are requested in parallel. */
const PARALLEL = 8;

/** The senders of transactions, by transaction hash. */
export type Senders = ReadonlyMap<Hex, Address>;

/**
 * The senders of the transactions of logs. Some protocols do not log the liquidator, so liquidations need
 * them. A transaction that the node no longer has is left out. @throws ChainReadError
 */
export async function readSenders(client: ChainClient, logs: readonly MinedLog[]): Promise<Senders> {
  const hashes = [...new Set(logs.map(({ transactionHash }) => transactionHash))];
  const senders = new Map<Hex, Address>();
  for (let at = 0; at < hashes.length; at += PARALLEL) {
    const some = hashes.slice(at, at + PARALLEL);
    const found = await Promise.all(
      some.map((hash) => client.request<{ from: Address } | null>('eth_getTransactionByHash', [hash])),
    );
    found.forEach((transaction, place) => {
      if (transaction) senders.set(some[place]!, lowerCase(transaction.from));
    });
  }
  return senders;
}

/** Adds the sender to a liquidation. Other activities stay unchanged. */
export function withLiquidator(activity: Activity, senders: Senders): Activity {
  if (activity.action !== 'liquidation') return activity;
  const sender = senders.get(activity.log.transactionHash);
  return sender === undefined || sender === activity.wallet
    ? activity
    : { ...activity, counterparty: sender };
}
