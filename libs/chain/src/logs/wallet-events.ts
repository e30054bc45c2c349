import { slice, toEventSelector, zeroAddress, type AbiEvent, type Address, type Hex } from 'viem';
import type { ChainLog } from './read-logs';

/** Events that change holdings, and which of their topics hold the wallet (1: the first indexed argument). */
export interface WalletEvents {
  topics: readonly Hex[];
  /** The wallets, in lower case, that a log is about; the zero address is none. */
  walletsOf(log: Pick<ChainLog, 'topics' | 'data'>): Address[];
}

/** @param walletTopics by event name */
export function walletEvents<const E extends AbiEvent>(
  events: readonly E[],
  walletTopics: Readonly<Record<E['name'], readonly number[]>>,
): WalletEvents {
  const byTopic = new Map(
    events.map((event): [Hex, readonly number[]] => [
      toEventSelector(event),
      walletTopics[event.name as E['name']],
    ]),
  );
  return {
    topics: [...byTopic.keys()],
    walletsOf: ({ topics }) =>
      (byTopic.get(topics[0] ?? '0x') ?? []).flatMap((index) => {
        const topic = topics[index];
        const wallet = topic && slice(topic, 12);
        return wallet && wallet !== zeroAddress ? [wallet] : [];
      }),
  };
}
