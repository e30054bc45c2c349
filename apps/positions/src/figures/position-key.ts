import { type PositionKey, positionId } from '@plimsoll/contracts';
import type { MarketRow } from '@plimsoll/evm';
import type { RawPosition } from '@plimsoll/protocols';

/** The identity of a position that was read, in lower case where case does not count. */
export function keyOf({ protocol, chainId, market, subId, wallet }: PositionKey | RawPosition): PositionKey {
  return { protocol, chainId, market, subId, wallet: wallet.toLowerCase() };
}

/** Ids of positions that were read or stored: a list of positions needs each several times. */
const ids = new WeakMap<PositionKey | RawPosition, string>();

/** Id of the position that was read. */
export function idOf(position: PositionKey | RawPosition): string {
  const known = ids.get(position);
  if (known !== undefined) return known;
  const id = positionId(keyOf(position));
  ids.set(position, id);
  return id;
}

/** Whether a row of the registry is the market that the position is in. */
export function isMarketOf(row: MarketRow, key: PositionKey): boolean {
  return row.chainId === key.chainId && row.protocol === key.protocol && row.market === key.market;
}
