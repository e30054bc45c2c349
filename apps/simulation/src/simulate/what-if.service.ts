import { Injectable } from '@nestjs/common';
import {
  type PositionDetail,
  type PriceScenarioBody,
  type WhatIfAnswer,
  type WhatIfBody,
  RISK_THRESHOLDS,
  invalidRequest,
  isCorrelated,
  priceSymbol,
  riskLevelOf,
  assetClass,
} from '@plimsoll/contracts';
import {
  type PriceMarket,
  type RiskPosition,
  assetsOf,
  closedTouchProbability,
  shockPosition,
} from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import type { Caller } from '@plimsoll/service-kit';
import { Covariances } from '../market/covariances';
import { lossAssumptions, lossTerms } from '../losses/loss-terms';
import { ProtocolClasses } from '../losses/protocol-classes';
import type { PriceFactors } from '../position/exact-health';
import { positionBasis } from '../position/position-basis';
import { PositionSource } from '../position/position-source';
import { shockedPosition, shocksOf } from '../position/shocked-position';

const BAND_DAYS = 7;
const MOST_NAMED = 50;

/** The part of a what-if that does not name its position. */
export type PositionWhatIf = Pick<
  WhatIfAnswer,
  'results' | 'combined' | 'liquidationRiskFrom' | 'assumptions'
>;

@Injectable()
export class WhatIfService {
  constructor(
    private readonly positions: PositionSource,
    private readonly covariances: Covariances,
    private readonly protocols: ProtocolClasses,
  ) {}

  async request(
    caller: Caller,
    { positionId, scenarios }: WhatIfBody,
    left: AbortSignal,
  ): Promise<WhatIfAnswer> {
    const detail = await this.positions.read(caller, positionId, left);
    requireHeld(scenarios, priceSymbolsOf(detail));
    const { results, combined, ...basis } = this.of(detail, scenarios);
    return { ...positionBasis(detail), results, combined, ...basis, riskThresholds: RISK_THRESHOLDS };
  }

  /** The position after the scenarios. One about an asset that it does not have changes nothing. */
  of(detail: PositionDetail, scenarios: readonly PriceScenarioBody[]): PositionWhatIf {
    const terms = lossTerms(riskPosition(detail), this.protocols.familyOf(detail.protocol));
    const { risk } = terms;
    const held = assetsOf(risk);
    const market = this.marketOfCorrelated(detail, risk);
    const after = (factors: PriceFactors) => outcome(detail, risk, factors, market);
    const combined = new Map<string, number>();
    const results = scenarios.map((scenario) => {
      const { asset, priceChangePercent } = scenario;
      const moved = movedAssets(scenario, scenarios, held);
      const factors = new Map(moved.map((symbol) => [symbol, 1 + priceChangePercent / 100]));
      for (const [symbol, factor] of factors) combined.set(symbol, (combined.get(symbol) ?? 1) * factor);
      return {
        scenario: scenarioText(scenario),
        asset,
        priceChangePercent,
        movedAssets: symbolsOf(detail, moved),
        ...after(factors),
      };
    });
    return {
      results,
      combined: after(combined),
      liquidationRiskFrom: market === null ? 'health_factor' : 'probability_7d',
      assumptions: lossAssumptions(terms),
    };
  }

  /**
   * Null if only the health factor decides the band: the sides move independently, or there are no
   * covariances.
   */
  private marketOfCorrelated(detail: PositionDetail, risk: RiskPosition): PriceMarket | null {
    const collateral = detail.collateralAssets.filter(({ usedAsCollateral }) => usedAsCollateral);
    const symbols = (legs: readonly { asset: string }[]): string[] => legs.map(({ asset }) => asset);
    if (!isCorrelated(symbols(collateral), symbols(detail.debtAssets))) return null;
    return this.covariances.find(assetsOf(risk), BAND_DAYS);
  }
}

function outcome(
  detail: PositionDetail,
  risk: RiskPosition,
  factors: PriceFactors,
  market: PriceMarket | null,
): WhatIfAnswer['combined'] {
  const { healthFactor, estimatedLoss, lossSplit } = shockedPosition(detail, risk, factors);
  const probability7d =
    market && closedTouchProbability(shockPosition(risk, shocksOf(factors)), market, BAND_DAYS);
  const { riskLevel, riskLevelBasis, riskLevelReason } = riskLevelOf(healthFactor, probability7d);
  return {
    newHealthFactor: healthFactor,
    liquidationRisk: riskLevel,
    riskLevelBasis,
    riskLevelReason,
    estimatedLoss,
    lossSplit,
  };
}

/** A scenario as text. */
export const scenarioText = ({ asset, priceChangePercent }: PriceScenarioBody): string =>
  `${asset} ${priceChangePercent > 0 ? '+' : ''}${priceChangePercent}%`;

/** The price symbols of everything that a position holds or owes. */
export const priceSymbolsOf = (detail: PositionDetail): string[] => assetsOf(riskPosition(detail));

/** @throws invalid_request naming the scenarios that move none of these price symbols */
export function requireHeld(
  scenarios: readonly PriceScenarioBody[],
  held: readonly string[],
  whose = 'The position',
): void {
  const errors = scenarios.flatMap((scenario, i) =>
    movedAssets(scenario, scenarios, held).length > 0
      ? []
      : [
          {
            field: `scenarios[${i}].asset`,
            code: 'not_held',
            message: `${whose} has no such asset. It has ${held.slice(0, MOST_NAMED).join(', ') || 'none'}.`,
          },
        ],
  );
  if (errors.length > 0) throw invalidRequest(errors.slice(0, 20));
}

/** Price symbols as the position spells them. */
function symbolsOf(detail: PositionDetail, symbols: readonly string[]): string[] {
  const legs = [...detail.collateralAssets, ...detail.debtAssets];
  return [...new Set(legs.map(({ asset }) => asset))].filter((asset) => symbols.includes(priceSymbol(asset)));
}

/**
 * The price symbols that a scenario moves: its own and its staking tokens (their ratio is kept), except those
 * that other scenarios of the list name. Empty when the position has none of them.
 */
export function movedAssets(
  { asset }: PriceScenarioBody,
  list: readonly PriceScenarioBody[],
  held: readonly string[],
): string[] {
  const named = new Set(list.map((other) => priceSymbol(other.asset)));
  const own = priceSymbol(asset);
  return held.filter((symbol) => {
    if (symbol === own) return true;
    const { family, kind } = assetClass(symbol);
    return kind === 'staked' && family === own && !named.has(symbol);
  });
}
