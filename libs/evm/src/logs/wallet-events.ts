import { size, slice, toEventSelector, zeroAddress, type AbiEvent, type Address, type Hex } from 'viem';
import type { ChainLog } from './read-logs';

/**
 * The position of the wallet in a log: a topic (1: the first indexed argument), or a word of its data (0: the
 * first one).
 */
type WalletPosition = number | { word: number };

const WORD_BYTES = 32;

/** Events that change holdings, and the position of the wallet in their logs. */
export interface WalletEvents {
  topics: readonly Hex[];
  /** The wallets, in lower case, that a log names. The zero address is not a wallet. */
  walletsOf(log: Pick<ChainLog, 'topics' | 'data'>): Address[];
}

/** @param places by event name */
export function walletEvents<const E extends AbiEvent>(
  events: readonly E[],
  places: Readonly<Record<E['name'], readonly WalletPosition[]>>,
): WalletEvents {
  const byTopic = new Map(
    events.map((event): [Hex, readonly WalletPosition[]] => [
      toEventSelector(event),
      places[event.name as E['name']],
    ]),
  );
  return {
    topics: [...byTopic.keys()],
    walletsOf: ({ topics, data }) =>
      (byTopic.get(topics[0] ?? '0x') ?? []).flatMap((place) => {
        const word = typeof place === 'number' ? topics[place] : wordOf(data, place.word);
        const wallet = word && slice(word, 12);
        return wallet && wallet !== zeroAddress ? [wallet] : [];
      }),
  };
}

function wordOf(data: Hex, index: number): Hex | undefined {
  const end = (index + 1) * WORD_BYTES;
  return size(data) < end ? undefined : slice(data, end - WORD_BYTES, end);
}
