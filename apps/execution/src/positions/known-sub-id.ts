import type { HoldingsIndex } from '@plimsoll/protocols';

/**
 * Returns the index of one position, which the positions service has found. An execution only needs that one.
 */
export function knownSubId(subId: string | undefined): HoldingsIndex {
  const subIds = subId === undefined ? [] : [subId];
  return {
    subIdsOf: (_row, _source, wallets) => Promise.resolve(new Map(wallets.map((wallet) => [wallet, subIds]))),
  };
}
