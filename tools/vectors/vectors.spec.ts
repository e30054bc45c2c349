import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { addActualValues } from './actual-file';
import type { VectorCase, VectorFile } from './case';
import { differences, type Difference, type Tolerance } from './compare';

const FOLDERS = ['test/reference', 'test/reference/sample'].map((folder) =>
  path.join(__dirname, '../..', folder),
);
const MONTE_CARLO = 'monte_carlo_multi.json';
const FIELDS_OF_RESULTS = new Set([
  'expected_each_scenario_applied_alone',
  'expected_all_combined',
  'liquidationProbability',
  'terminalHealthFactor',
  'days',
  'type7',
  'inverted_cdf',
]);
/** Doubles of sums near 0 differ in their last digits, beyond any relative tolerance. */
const ROUNDING = 1e-9;

function toleranceOf(file: VectorFile): Tolerance {
  const absolute = (file['tolerance_abs_closed_form'] ?? file['tolerance_abs']) as number | undefined;
  const relative = file['tolerance_rel'] as number | undefined;
  return relative === undefined ? { absolute: absolute!, relative: 1e-12 } : { absolute: ROUNDING, relative };
}

/** The reference figures of a case for the fields of its result. */
function referenceOf(vector: VectorCase, list: string): unknown {
  if ('expected' in vector) return vector['expected'];
  const isInput = (name: string): boolean => name === 'days' && list !== 'daysToLiquidation';
  return Object.fromEntries(
    Object.entries(vector).filter(([name]) => FIELDS_OF_RESULTS.has(name) && !isInput(name)),
  );
}

function check(file: VectorFile): { cases: number; wrong: Difference[] } {
  const actual = addActualValues(file);
  const lists = ['cases', 'daysToLiquidation'].filter((list) => list in file);
  const wrong = lists.flatMap((list) =>
    (actual[list] as VectorCase[]).flatMap((vector, i) =>
      differences(referenceOf(vector, list), vector['actual'], toleranceOf(file), `${list}[${i}]`),
    ),
  );
  return { cases: lists.reduce((sum, list) => sum + (file[list] as unknown[]).length, 0), wrong };
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== MONTE_CARLO)
    .map((name) => path.join(folder, name)),
);

describe('the reference cases', () => {
  it.each(files)('%s within its tolerance', (file) => {
    const { cases, wrong } = check(JSON.parse(readFileSync(file, 'utf8')) as VectorFile);
    expect(cases).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it('are at least 500', () => {
    const counts = files.map((file) => {
      const { cases, daysToLiquidation = [] } = JSON.parse(readFileSync(file, 'utf8')) as Record<
        string,
        unknown[]
      >;
      return cases!.length + daysToLiquidation.length;
    });
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(500);
  });
});

/** Limits of the root-mean-square error over 40 seeds: 1,000 paths, 5,000 paths. */
const LIMITS: Readonly<Record<string, readonly [number, number]>> = {
  F: [8e-4, 3e-4],
  G: [4e-4, 2e-4],
  H: [2.5e-3, 1.3e-3],
};
const PERCENTILE: Tolerance = { absolute: 0, relative: 3e-3 };
const CLOSED_FORM: readonly [number, number] = [1e-6, 1e-6];

interface MonteCarloCase extends VectorCase {
  name: string;
  kind: string;
  rmse_limits?: readonly [number, number];
  /** Percentiles of the terminal health factor. */
  percentiles?: Record<string, number>;
  actual: Record<'1000' | '5000', { mean: number; rmse: number }> & { percentiles?: Record<string, number> };
}

describe('the Monte Carlo cases', () => {
  const multi = FOLDERS.map((folder) => path.join(folder, MONTE_CARLO)).filter((file) => existsSync(file));

  it.each(multi)(
    '%s within its error at 1,000 and 5,000 paths',
    (file) => {
      const actual = addActualValues(JSON.parse(readFileSync(file, 'utf8')) as VectorFile);
      for (const each of actual['cases'] as MonteCarloCase[]) {
        const limits = each.kind === 'closed' ? CLOSED_FORM : (each.rmse_limits ?? LIMITS[each.name[0]!]!);
        const { name, actual, percentiles = {} } = each;
        const tooLarge = (['1000', '5000'] as const).filter((paths, i) => actual[paths].rmse > limits[i]!);
        expect({ name, tooLarge }).toEqual({ name, tooLarge: [] });
        expect(differences(percentiles, actual.percentiles ?? {}, PERCENTILE, name)).toEqual([]);
      }
    },
    300_000,
  );
});

describe('addActualValues', () => {
  it('names a case of an unknown form', () => {
    expect(() => addActualValues({ cases: [{ id: 'x' }] })).toThrow('cases[0]');
    expect(() => addActualValues({ rows: [] })).toThrow('cases');
  });
});
