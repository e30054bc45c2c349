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
const KINDS: readonly { fits: (vector: VectorCase, file: VectorFile) => boolean; figures: CaseResult }[] = [
  { fits: (vector) => 'targetHealthFactor' in vector, figures: deleverageFigures },
  { fits: (vector) => 'collateralShock' in vector, figures: liquidationCallFigures },
  { fits: (vector) => 'scenarios' in vector, figures: whatIfFigures },
  { fits: (vector) => 'legs' in vector, figures: monteCarloFigures },
  { fits: (vector) => 'values' in vector, figures: percentileFigures },
  { fits: (vector) => 'returns' in vector, figures: riskMetricFigures },
  { fits: (vector) => 'hf0' in vector && 'quantile' in vector, figures: daysToLiquidationFigures },
  { fits: (vector) => 'hf0' in vector, figures: firstPassageFigures },
  { fits: (_, file) => 'shocksPercent' in file, figures: stressFigures },
  {
    fits: (vector) => hasExpected(vector, 'liquidationPriceCollateralAlone'),
    figures: liquidationPriceFigures,
  },
  { fits: (vector) => hasExpected(vector, 'healthFactor'), figures: healthFactorFigures },
];

function withActual(vector: VectorCase, file: VectorFile, name: string): VectorCase {
  const kind = KINDS.find(({ fits }) => fits(vector, file));
  if (!kind) throw new Error(`${name} is of no known kind. See test/reference/README.md for the forms.`);
  try {
    return { ...vector, actual: kind.figures(vector, file) };
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/**
 * The file with `actual` added to every case of its lists `cases` and `daysToLiquidation`.
 * @throws Error that names the case of an unknown form
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
