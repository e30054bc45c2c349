import type { RawPosition } from '@plimsoll/chain';
import type { PositionV1 } from '@plimsoll/contracts';
import type { Address, Hex } from 'viem';
import { wadOf } from '../tracking/published-position';

/** The position of a stored event, in the form in which positions are read. */
export function storedPosition(event: PositionV1): RawPosition {
  return {
    protocol: event.protocol,
    chainId: event.chainId,
    market: event.market,
    subId: event.subId,
    wallet: event.wallet as Address,
    legs: event.legs.map((leg) => ({
      symbol: leg.asset,
      address: leg.address as Address,
      side: leg.side,
      amountRaw: BigInt(leg.amountRaw),
      scaledRaw: BigInt(leg.scaledRaw),
      decimals: leg.decimals,
      priceRaw: BigInt(leg.priceRaw),
      priceDecimals: leg.priceDecimals,
      oracle: leg.oracle as Address,
      liquidationThresholdBps: BigInt(leg.liquidationThresholdBps),
      usedAsCollateral: leg.usedAsCollateral,
    })),
    totalCollateralRaw: BigInt(event.totalCollateralRaw),
    totalDebtRaw: BigInt(event.totalDebtRaw),
    priceDecimals: event.baseDecimals,
    healthFactorRaw: wadOf(event.healthFactorRaw),
    blockNumber: BigInt(event.block),
    blockHash: event.blockHash as Hex,
    blockTimestamp: BigInt(Date.parse(event.blockTime) / 1_000),
    isApproximate: false,
  };
}
