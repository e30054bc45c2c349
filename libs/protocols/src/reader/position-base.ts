import type { BlockRef, MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { RawPosition } from './raw-position';

/** The identity and block of a position: the fields that every family fills in the same way. */
export function positionBase(
  row: MarketRow,
  block: BlockRef,
  wallet: Address,
  subId = '',
): Pick<
  RawPosition,
  | 'protocol'
  | 'chainId'
  | 'market'
  | 'subId'
  | 'wallet'
  | 'flags'
  | 'blockNumber'
  | 'blockHash'
  | 'blockTimestamp'
  | 'isApproximate'
> {
  return {
    protocol: row.protocol,
    chainId: row.chainId,
    market: row.market,
    subId,
    wallet,
    flags: [],
    blockNumber: block.number,
    blockHash: block.hash,
    blockTimestamp: block.timestamp,
    isApproximate: false,
  };
}
