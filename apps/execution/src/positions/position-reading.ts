import { Problem, notFound, positionId } from '@plimsoll/contracts';
import { type BlockRef, ChainReadError, type ChainClient, type MarketRow } from '@plimsoll/evm';
import {
  type HoldingsIndex,
  type RawPosition,
  Unexecutable,
  isProxiedSubId,
  isReadable,
} from '@plimsoll/protocols';
import type { ExecutionChain } from '../chains/chains.service';
import type { PositionVenue } from './position-source';

/**
 * Returns the position from its protocol on a block, or after simulated calls when the client is a
 * SimulatedChain.
 * @throws not_found when the wallet has none; upstream_unavailable when it cannot be read; Unexecutable when a proxy
 * holds it
 */
export async function readPosition(
  chain: ExecutionChain,
  row: MarketRow,
  place: PositionVenue,
  { client, block }: { client: ChainClient; block: BlockRef },
): Promise<RawPosition> {
  if (place.subId !== undefined && isProxiedSubId(place.subId))
    throw new Unexecutable('A contract holds this position for the wallet, which cannot act on it directly.');
  const reader = chain.reader(row, { client, index: knownSubId(place.subId) });
  if (!reader) throw unreadable(place);
  const { positions, unreadable: failed } = await reader.readPositions([place.wallet], block);
  const position = positions.find((each) => positionId(each) === place.id);
  if (position && isReadable(position)) return position;
  if (position) throw unreadable(place, position.unreadable ?? 'unpriced');
  if (failed.length > 0) throw unreadable(place, failed[0]?.reason);
  throw notFound('position');
}

function unreadable({ chainId }: PositionVenue, reason?: string): Problem {
  const detail = `The position cannot be read on chain ${chainId} now. Send the request again in a moment.`;
  return new Problem('upstream_unavailable', detail, {
    cause: new ChainReadError('call_failed', chainId, `position is unreadable: ${reason ?? 'no reader'}`),
    headers: { 'retry-after': '1' },
  });
}

/**
 * Returns the index of one position, which the positions service has found. An execution only needs that one.
 */
function knownSubId(subId: string | undefined): HoldingsIndex {
  const subIds = subId === undefined ? [] : [subId];
  return {
    subIdsOf: (_row, _source, wallets) => Promise.resolve(new Map(wallets.map((wallet) => [wallet, subIds]))),
  };
}
