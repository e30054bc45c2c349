import type { PositionAsset, PositionAssets, PositionListItem } from '@plimsoll/contracts';
import type { Fact } from './fact';
import type { FactOrigin, FactSheet } from './fact-sheet';

/** A position as a list with its assets, or as the detail form. */
export type HeldPosition = PositionListItem & Partial<PositionAssets>;

/** A leg of a position as facts. */
export interface LegFacts {
  asset: string;
  side: 'collateral' | 'debt';
  symbol: Fact;
  amount: Fact;
  usd: Fact;
  /** Null: it secures nothing. */
  liquidationThresholdBps: number | null;
}

/** A position as facts; `raw` is what they were read from. */
export interface PositionFacts {
  raw: HeldPosition;
  id: Fact;
  wallet: Fact;
  protocol: Fact;
  chainId: Fact;
  healthFactor: Fact;
  collateralUsd: Fact;
  debtUsd: Fact;
  riskLevel: Fact;
  legs: LegFacts[];
}

/** Facts under `position.<id>.`; stale when the position could not be read at the newest block. */
export function positionFacts(sheet: FactSheet, raw: HeldPosition, from: FactOrigin): PositionFacts {
  const at: FactOrigin = {
    time: raw.updatedAt ?? from.time,
    source: from.source,
    isStale: from.isStale === true || raw.block !== undefined,
  };
  const name = `position.${raw.id}`;
  const of = `of position ${raw.id}`;
  const leg = (asset: PositionAsset, side: LegFacts['side'], index: number): LegFacts => {
    const id = `${name}.${side}.${index}`;
    return {
      asset: asset.asset,
      side,
      symbol: sheet.add(`${id}.symbol`, `${side} asset ${of}`, asset.asset, 'text', at),
      amount: sheet.add(
        `${id}.amount`,
        `amount of a ${side} asset ${of}`,
        asset.amount,
        'token',
        at,
        asset.asset,
      ),
      usd: sheet.add(`${id}.usd`, `value of a ${side} asset ${of}`, asset.usdValue, 'usd', at),
      liquidationThresholdBps: asset.usedAsCollateral ? (asset.liquidationThresholdBps ?? 0) : null,
    };
  };
  return {
    raw,
    id: sheet.add(`${name}.id`, `id ${of}`, raw.id, 'id', at),
    wallet: sheet.add(`${name}.wallet`, `wallet ${of}`, raw.wallet, 'id', at),
    protocol: sheet.add(`${name}.protocol`, `protocol ${of}`, raw.protocol, 'id', at),
    chainId: sheet.add(`${name}.chainId`, `chain ${of}`, raw.chainId, 'id', at),
    healthFactor: sheet.add(`${name}.healthFactor`, `health factor ${of}`, raw.healthFactor, 'ratio', at),
    collateralUsd: sheet.add(`${name}.collateralUsd`, `collateral ${of}`, raw.totalCollateralUsd, 'usd', at),
    debtUsd: sheet.add(`${name}.debtUsd`, `debt ${of}`, raw.totalDebtUsd, 'usd', at),
    riskLevel: sheet.add(`${name}.riskLevel`, `risk level ${of}`, raw.riskLevel, 'enum', at),
    legs: [
      ...(raw.collateralAssets ?? []).map((asset, index) => leg(asset, 'collateral', index)),
      ...(raw.debtAssets ?? []).map((asset, index) => leg(asset, 'debt', index)),
    ],
  };
}
