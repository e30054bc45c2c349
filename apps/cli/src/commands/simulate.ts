import { type Command, InvalidArgumentError } from 'commander';
import type { Output } from '@plimsoll/sdk';
import type { Context } from '../context';
import { healthText } from '../output/health';
import { rangePlot } from '../output/range-plot';
import { percent, printable, usd } from '../output/text';
import { repeated, wholeNumber, withContext } from './command';
import { healthCells } from './positions';

interface Shock {
  asset: string;
  priceChangePercent: number;
}

interface MonteCarloOptions {
  days: number[];
  iterations: number;
  model?: string;
  seed?: number;
}

const PATHS = 10_000;
const RIGHT = { align: 'right' } as const;

export function addSimulateCommands(program: Command): void {
  const simulate = program.command('simulate').description('what could happen to a position');
  simulate
    .command('what-if <position>')
    .description('the health factor after price changes, each alone and all together')
    .requiredOption('--shock <asset=percent>', 'a price change such as ETH=-30, may be repeated', shocks)
    .action(withContext(whatIf));
  simulate
    .command('monte-carlo <position>')
    .description('the distribution of the health factor, and the probability of liquidation')
    .option('--days <n,n>', 'horizons in days', horizons, [1, 7, 30])
    .option('--iterations <n>', 'simulated paths', wholeNumber, PATHS)
    .option('--model <name>', 'fhs or gbm; default: that of the API')
    .option('--seed <n>', 'repeats the same paths', wholeNumber)
    .action(withContext(monteCarlo));
  simulate
    .command('stress <position>')
    .description('the position in past and assumed crashes')
    .option('--scenario <id>', 'a scenario, may be repeated; default: all', repeated)
    .action(withContext(stress));
  simulate
    .command('scenarios')
    .description('list the scenarios of simulate stress')
    .action(withContext(scenarios));
}

async function whatIf(context: Context, positionId: string, { shock }: { shock: Shock[] }): Promise<void> {
  const answer = await context.client().simulate.whatIf({ positionId, scenarios: shock });
  context.show(answer, () => {
    const cells = (outcome: typeof answer.combined) => [
      ...healthCells({ healthFactor: outcome.newHealthFactor, riskLevel: outcome.liquidationRisk }),
      usd(outcome.estimatedLoss),
    ];
    const rows = answer.results.map((result) => [
      `${result.asset} ${signed(result.priceChangePercent)} %`,
      ...cells(result),
    ]);
    return [
      asOf(answer),
      '',
      context.table(
        ['change', 'health', { title: 'factor', ...RIGHT }, 'level', { title: 'loss USD', ...RIGHT }],
        rows.length > 1 ? [...rows, ['all together', ...cells(answer.combined)]] : rows,
        '',
      ),
    ].join('\n');
  });
}

async function monteCarlo(context: Context, positionId: string, options: MonteCarloOptions): Promise<void> {
  const { days, iterations, model, seed } = options;
  const client = context.client();
  const answers: Output<'simulateMonteCarlo'>[] = [];
  for (const horizonDays of days)
    answers.push(
      await client.simulate.monteCarlo({
        positionId,
        horizonDays,
        iterations,
        // The API knows the names of its models and refuses others.
        ...(model !== undefined && { model: model as 'fhs' }),
        ...(seed !== undefined && { seed }),
      }),
    );
  context.show({ results: answers }, () => {
    const [first] = answers;
    if (!first) return '';
    const ranges = answers.map(({ horizonDays, percentiles: { p5, p50, p95 } }) => ({
      label: `${horizonDays} d`,
      low: p5.healthFactor,
      middle: p50.healthFactor,
      high: p95.healthFactor,
    }));
    const rows = answers.map(({ horizonDays, liquidationProbability, standardError, percentiles }) => [
      horizonDays,
      {
        text: percent(liquidationProbability),
        style: liquidationProbability >= 0.05 ? ('red' as const) : ('plain' as const),
      },
      `± ${percent(standardError)}`,
      ...[percentiles.p5, percentiles.p50, percentiles.p95].map(({ healthFactor }) =>
        healthText(healthFactor),
      ),
    ]);
    return [
      `${asOf(first)}, model ${first.model}, ${first.method.replaceAll('_', ' ')}, seed ${first.seed}`,
      '',
      rangePlot(ranges),
      `${context.paint('dim', 'health factor: 5 % ├──●──┤ 95 %, ● median, │ liquidation')}`,
      '',
      context.table(
        ['days', 'liquidation', 'error', 'p5', 'p50', 'p95'].map((title) => ({ title, ...RIGHT })),
        rows,
        '',
      ),
    ].join('\n');
  });
}

async function stress(
  context: Context,
  positionId: string,
  { scenario }: { scenario?: string[] },
): Promise<void> {
  const client = context.client();
  const names = scenario ?? (await client.simulate.scenarios()).scenarios.map(({ id }) => id);
  const answer = await client.simulate.stressTest({ positionId, scenarios: names });
  context.show(answer, () => {
    const rows = answer.results.map((result) => [
      result.scenario,
      healthText(result.healthFactor),
      {
        text: result.liquidated ? 'liquidated' : 'survives',
        style: result.liquidated ? ('red' as const) : ('green' as const),
      },
      usd(result.estimatedLoss),
    ]);
    const columns = ['scenario', { title: 'factor', ...RIGHT }, 'outcome', { title: 'loss USD', ...RIGHT }];
    return `${asOf(answer)}\n\n${context.table(columns, rows, '')}`;
  });
}

async function scenarios(context: Context): Promise<void> {
  const answer = await context.client().simulate.scenarios();
  context.show(answer, () =>
    context.table(
      ['scenario', 'kind', 'description'],
      answer.scenarios.map(({ id, kind, description }) => [id, kind, description]),
      'There is no scenario.',
    ),
  );
}

interface Basis {
  positionId: string;
  currentHealthFactor: number | null;
  asOfBlock: Record<string, number>;
  priceTime: string;
}

/** The position of a simulation is on one chain. */
const asOf = ({ positionId, currentHealthFactor, asOfBlock, priceTime }: Basis): string =>
  printable(
    `${positionId}: health factor ${healthText(currentHealthFactor)} at block ${Object.values(asOfBlock)[0] ?? 'unknown'}, prices of ${priceTime}`,
  );

const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));

function shocks(text: string, before: readonly Shock[] = []): Shock[] {
  const [, asset, change] = /^([^=]+)=([+-]?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (asset === undefined) throw new InvalidArgumentError('State an asset and percent, such as ETH=-30.');
  return [...before, { asset, priceChangePercent: Number(change) }];
}

const horizons = (text: string): number[] => text.split(',').map(wholeNumber);
