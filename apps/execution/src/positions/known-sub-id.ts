import type { HoldingsIndex } from '@plimsoll/chain';

/** The index of one position: positions found it, and what is executed on is that one alone. */
export function knownSubId(subId: string | undefined): HoldingsIndex {
  const subIds = subId === undefined ? [] : [subId];
  return {
    subIdsOf: (_row, _source, wallets) => Promise.resolve(new Map(wallets.map((wallet) => [wallet, subIds]))),
  };
}
