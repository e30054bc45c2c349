import type {
  LossSplit,
  PortfolioOutcome,
  PortfolioSimulationTotals,
  SimulatedPortfolioPosition,
} from '@plimsoll/contracts';

/** A position after a change. */
interface After {
  healthFactor: number | null;
  estimatedLoss: number;
  lossSplit: LossSplit;
}

/** Sums the rows of a portfolio, scenario by scenario. */
export function totalsOf(
  rows: readonly SimulatedPortfolioPosition[],
  netWorthUsd: number,
  labels: { whatIf: readonly string[]; stress: readonly string[] },
): PortfolioSimulationTotals {
  const whatIfs = rows.flatMap(({ whatIf }) => whatIf ?? []);
  const stresses = rows.flatMap(({ stress }) => stress ?? []);
  return {
    positions: rows.length,
    netWorthUsd,
    lowestHealthFactor: lowestOf(rows.map(({ currentHealthFactor }) => currentHealthFactor)),
    whatIf: labels.whatIf.map((scenario, at) => {
      const results = whatIfs.map((whatIf) => whatIf.results[at]!);
      const positionsMoved = results.filter(({ movedAssets }) => movedAssets.length > 0).length;
      return { scenario, positionsMoved, ...outcomeOf(results.map(afterWhatIf)) };
    }),
    combined:
      labels.whatIf.length > 0 ? outcomeOf(whatIfs.map(({ combined }) => afterWhatIf(combined))) : null,
    stress: labels.stress.map((scenario, at) => {
      const results = stresses.map((stress) => stress.results[at]!);
      return {
        scenario,
        ...outcomeOf(results),
        collateralUsd: sum(results.map(({ collateralUsd }) => collateralUsd)),
        debtUsd: sum(results.map(({ debtUsd }) => debtUsd)),
      };
    }),
  };
}

function afterWhatIf({
  newHealthFactor: healthFactor,
  ...after
}: Omit<After, 'healthFactor'> & { newHealthFactor: number | null }): After {
  return { healthFactor, ...after };
}

function outcomeOf(results: readonly After[]): PortfolioOutcome {
  const part = (name: keyof LossSplit): number => sum(results.map(({ lossSplit }) => lossSplit[name]));
  return {
    estimatedLoss: sum(results.map(({ estimatedLoss }) => estimatedLoss)),
    lossSplit: {
      marketLossUsd: part('marketLossUsd'),
      penaltyUsd: part('penaltyUsd'),
      slippageUsd: part('slippageUsd'),
      badDebtUsd: part('badDebtUsd'),
    },
    positionsLiquidatable: results.filter(({ healthFactor }) => healthFactor !== null && healthFactor < 1)
      .length,
    lowestHealthFactor: lowestOf(results.map(({ healthFactor }) => healthFactor)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function lowestOf(healthFactors: readonly (number | null)[]): number | null {
  return healthFactors.reduce(
    (lowest, own) => (own !== null && (lowest === null || own < lowest) ? own : lowest),
    null,
  );
}
