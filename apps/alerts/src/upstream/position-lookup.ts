import { Injectable } from '@nestjs/common';
import { type Band, type PositionDetail, notFound } from '@plimsoll/contracts';
import type { CurrentFigures } from '../automation/rule-writer';
import { AlertsConfig } from '../config';
import type { Holdings } from '../evaluation/collateral-drop';
import { type Caller, innerGet } from './inner-call';

export type { Caller } from './inner-call';

/** Positions as the positions service reads them now. */
@Injectable()
export class PositionLookup {
  constructor(private readonly config: AlertsConfig) {}

  /** @throws not_found for an id that was never seen */
  async read(caller: Caller, positionId: string): Promise<CurrentFigures> {
    const path = `/v1/positions/${encodeURIComponent(positionId)}`;
    const detail = await innerGet<PositionDetail>(this.config.UPSTREAM_POSITIONS, path, caller);
    if (detail === null) throw notFound('position');
    return currentFigures(detail);
  }
}

function currentFigures(detail: PositionDetail): CurrentFigures {
  const { healthFactor, totalCollateralUsd, totalDebtUsd, riskLevel, chainId, asOfBlock } = detail;
  const holdings: Holdings = { prices: {}, collateral: {}, debt: {} };
  for (const { asset, amount, priceRaw, priceDecimals, usedAsCollateral } of detail.collateralAssets) {
    holdings.prices[asset] = Number(priceRaw) / 10 ** priceDecimals;
    if (usedAsCollateral) holdings.collateral[asset] = amount;
  }
  for (const { asset, amount, priceRaw, priceDecimals } of detail.debtAssets) {
    holdings.prices[asset] = Number(priceRaw) / 10 ** priceDecimals;
    holdings.debt[asset] = amount;
  }
  return {
    healthFactor,
    collateralUsd: totalCollateralUsd,
    debtUsd: totalDebtUsd,
    band: riskLevel as Band,
    holdings,
    closed: detail.collateralAssets.length === 0 && detail.debtAssets.length === 0,
    block: detail.block ?? asOfBlock[String(chainId)] ?? 0,
  };
}
