import type { Figures, VectorCase, VectorFile } from './case';
import { daysToLiquidationFigures, firstPassageFigures } from './first-passage-cases';
import { monteCarloFigures } from './monte-carlo-cases';
import {
  deleverageFigures,
  healthFactorFigures,
  liquidationCallFigures,
  liquidationPriceFigures,
} from './position-cases';
import { stressFigures, whatIfFigures } from './scenario-cases';
import { percentileFigures, riskMetricFigures } from './statistics-cases';

type CaseResult = (vector: VectorCase, file: VectorFile) => Figures;

const hasExpected = (vector: VectorCase, field: string): boolean =>
  field in ((vector['expected'] as object | undefined) ?? {});

/** The kinds of cases, recognised by the fields that only each kind has. The first match wins. */
const KINDS: readonly { fits: (vector: VectorCase, file: VectorFile) => boolean; answer: CaseResult }[] = [
  { fits: (vector) => 'targetHealthFactor' in vector, answer: deleverageFigures },
  { fits: (vector) => 'collateralShock' in vector, answer: liquidationCallFigures },
  { fits: (vector) => 'scenarios' in vector, answer: whatIfFigures },
  { fits: (vector) => 'legs' in vector, answer: monteCarloFigures },
  { fits: (vector) => 'values' in vector, answer: percentileFigures },
  { fits: (vector) => 'returns' in vector, answer: riskMetricFigures },
  { fits: (vector) => 'hf0' in vector && 'quantile' in vector, answer: daysToLiquidationFigures },
  { fits: (vector) => 'hf0' in vector, answer: firstPassageFigures },
  { fits: (_, file) => 'shocksPercent' in file, answer: stressFigures },
  {
    fits: (vector) => hasExpected(vector, 'liquidationPriceCollateralAlone'),
    answer: liquidationPriceFigures,
  },
  { fits: (vector) => hasExpected(vector, 'healthFactor'), answer: healthFactorFigures },
];

function withActual(vector: VectorCase, file: VectorFile, name: string): VectorCase {
  const kind = KINDS.find(({ fits }) => fits(vector, file));
  if (!kind) throw new Error(`${name} is of no known kind. See test/reference/README.md for the forms.`);
  try {
    return { ...vector, actual: kind.answer(vector, file) };
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/**
 * The file with `actual` added to every case of its lists `cases` and `daysToLiquidation`.
 * @throws Error that names the case which is of no known form
 */
export function addActualValues(file: VectorFile): VectorFile {
  if (!Array.isArray(file['cases'])) throw new Error('There is no list `cases`.');
  const answeredLists = ['cases', 'daysToLiquidation'].flatMap((list) => {
    const vectors = file[list];
    if (!Array.isArray(vectors)) return [];
    return [[list, vectors.map((vector: VectorCase, i) => withActual(vector, file, `${list}[${i}]`))]];
  });
  return { ...file, ...(Object.fromEntries(answeredLists) as VectorFile) };
}
