import {
  daysToLiquidation,
  firstPassageProbability,
  ratioProcess,
  terminalHealthFactor,
  type LogHealthProcess,
} from '@plimsoll/risk-math';
import { alike, numberOf, type Figures, type VectorCase } from './case';

/** The field names of a ratio case's volatilities and drifts. */
const COLLATERAL = { sigma: ['sigmaC', 'sigmaCollateral', 'sC'], mu: ['muC', 'muCollateral'] };
const DEBT = { sigma: ['sigmaD', 'sigmaDebt', 'sD'], mu: ['muD', 'muDebt'] };
const CORRELATION = ['rho', 'corr', 'correlation'];

function find(vector: VectorCase, names: readonly string[]): number | undefined {
  const name = names.find((each) => each in vector);
  return name === undefined ? undefined : numberOf(vector[name], name);
}

function processOf(vector: VectorCase): LogHealthProcess {
  const single = find(vector, ['sigma']);
  if (single !== undefined)
    return ratioProcess({ sigma: single, mu: find(vector, ['mu']) ?? 0 }, { sigma: 0 }, 0);
  const [collateral, debt] = [COLLATERAL, DEBT].map(({ sigma, mu }) => ({
    sigma: numberOf(find(vector, sigma), sigma[0]!),
    mu: find(vector, mu) ?? find(vector, ['mu']) ?? 0,
  }));
  return ratioProcess(collateral!, debt!, numberOf(find(vector, CORRELATION), CORRELATION[0]!));
}

export function firstPassageFigures(vector: VectorCase): Figures {
  const process = processOf(vector);
  const healthFactor = numberOf(vector['hf0'], 'hf0');
  const days = numberOf(vector['days'], 'days');
  const at = (quantile: number): number => terminalHealthFactor(healthFactor, process, days, quantile);
  return alike(
    {
      liquidationProbability: firstPassageProbability(healthFactor, process, days),
      terminalHealthFactor: { p5: at(0.05), p50: at(0.5), p95: at(0.95) },
    },
    vector,
  );
}

export function daysToLiquidationFigures(vector: VectorCase): Figures {
  const quantile = numberOf(vector['quantile'], 'quantile');
  return { days: daysToLiquidation(numberOf(vector['hf0'], 'hf0'), processOf(vector), quantile) };
}
