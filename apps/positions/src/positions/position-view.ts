import { checksumAddress } from '@plimsoll/contracts';
import type { RawLeg, RawPosition } from '@plimsoll/chain';
import type { BlockStamp, PositionAsset, PositionListItem } from '@plimsoll/contracts';
import type { Figure, FiguresRead } from '../figures/figures-reader';
import { idOf } from '../figures/position-key';
import { healthFactorNumber, toDouble } from '../figures/units';

/** List form; `block` is set where the figures are from another block than the answer's. */
export function listItem({ position, band }: Figure, blocks: FiguresRead['blocks']): PositionListItem {
  const isCurrent = blocks.get(position.chainId)?.hash === position.blockHash;
  return {
    id: idOf(position),
    protocol: position.protocol,
    chainId: position.chainId,
    market: position.market,
    wallet: checksumAddress(position.wallet),
    healthFactor: healthFactorNumber(position.healthFactorRaw),
    healthFactorRaw: position.healthFactorRaw?.toString() ?? null,
    totalCollateralUsd: toDouble(position.totalCollateralRaw, position.priceDecimals),
    totalDebtUsd: toDouble(position.totalDebtRaw, position.priceDecimals),
    riskLevel: band,
    ...(!isCurrent && { block: Number(position.blockNumber) }),
  };
}

/** The assets of one side, as the registry spells them. */
export function assetsOf({ legs }: RawPosition, side: RawLeg['side']): PositionAsset[] {
  return legs
    .filter((leg) => leg.side === side)
    .map((leg) => ({
      asset: leg.symbol,
      amount: toDouble(leg.amountRaw, leg.decimals),
      usdValue: toDouble(leg.amountRaw * leg.priceRaw, leg.decimals + leg.priceDecimals),
      address: checksumAddress(leg.address),
      amountRaw: leg.amountRaw.toString(),
      decimals: leg.decimals,
      priceRaw: leg.priceRaw.toString(),
      priceDecimals: leg.priceDecimals,
      oracle: checksumAddress(leg.oracle),
      ...(side === 'collateral' && {
        liquidationThresholdBps: Number(leg.liquidationThresholdBps),
        usedAsCollateral: leg.usedAsCollateral,
      }),
    }));
}

export function blockStamp(blocks: FiguresRead['blocks']): BlockStamp {
  const entries = [...blocks];
  return {
    asOfBlock: Object.fromEntries(entries.map(([chainId, { number }]) => [chainId, Number(number)])),
    blockHash: Object.fromEntries(entries.map(([chainId, { hash }]) => [chainId, hash])),
  };
}
