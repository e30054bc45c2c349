import type { components } from '@plimsoll/sdk';
import { LEVELS, type Level } from '../design/levels';

type Position = components['schemas']['ListedPosition'];

/** From this level on, a position is in danger. */
const DANGER = LEVELS.indexOf('high');

const isInDanger = ({ riskLevel }: { riskLevel: Level }): boolean => LEVELS.indexOf(riskLevel) >= DANGER;

export interface Totals {
  count: number;
  inDanger: number;
  /** The most that liquidators can take from the positions in danger: of each, the smaller of collateral and debt. USD. */
  atStakeUsd: number;
  /** Null without debt. */
  lowestHealthFactor: number | null;
  debtUsd: number;
  netWorthUsd: number;
}

type Figures = Pick<
  Position,
  'riskLevel' | 'healthFactor' | 'totalCollateralUsd' | 'totalDebtUsd' | 'netWorthUsd'
>;

/** The figures of several positions together. */
export function totalsOf(positions: readonly Figures[]): Totals {
  const totals: Totals = {
    count: positions.length,
    inDanger: 0,
    atStakeUsd: 0,
    lowestHealthFactor: null,
    debtUsd: 0,
    netWorthUsd: 0,
  };
  for (const position of positions) {
    const { healthFactor, totalCollateralUsd, totalDebtUsd, netWorthUsd } = position;
    totals.debtUsd += totalDebtUsd;
    totals.netWorthUsd += netWorthUsd;
    if (healthFactor !== null)
      totals.lowestHealthFactor = Math.min(healthFactor, totals.lowestHealthFactor ?? Infinity);
    if (!isInDanger(position)) continue;
    totals.inDanger += 1;
    totals.atStakeUsd += Math.min(totalCollateralUsd, totalDebtUsd);
  }
  return totals;
}
