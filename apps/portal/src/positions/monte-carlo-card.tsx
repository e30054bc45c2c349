import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FigureTable } from '../design/figure-table';
import { formatHealthFactor, formatProbability } from '../design/format';
import { healthText } from '../design/levels';
import { LineChart } from '../design/line-chart';
import { Select } from '../design/select';
import { Basis } from './basis';
import { DEFAULT_HORIZON, type MonteCarlo, fanQuery } from './outlook';
import { PlanCard } from './plan-needed';
import { type Detailed, HORIZONS } from './requests';
import { RunCard } from './run-card';

/** The range of the health factor over the next days, and the probability of a liquidation until then. */
export function MonteCarloCard({ position }: { position: Detailed }): ReactNode {
  const { horizon = DEFAULT_HORIZON } = useSearch({ from: '/signed-in/positions/$id' });
  const navigate = useNavigate({ from: '/positions/$id' });
  return (
    <PlanCard
      title="Simulation"
      plan="pro"
      needed="Simulations begin with the pro plan."
      purpose="They state how likely a liquidation is, from thousands of possible price paths."
    >
      {(tier) => (
        <RunCard
          title="Simulation"
          about="Thousands of possible price paths, drawn from the past year: where the health factor may be, and how likely a liquidation is until then."
          action="Simulate"
          hasDebt={position.totalDebtUsd > 0}
          aside={
            <Select
              label="Horizon"
              choices={HORIZONS.map((days) => ({ value: String(days), label: `${days} days` }))}
              value={String(horizon)}
              onChange={(value) =>
                void navigate({
                  search: (before) => ({
                    ...before,
                    horizon: HORIZONS.find((days) => String(days) === value),
                  }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          }
          query={fanQuery(position.id, horizon, tier)}
        >
          {(answers) => <Fan answers={answers} />}
        </RunCard>
      )}
    </PlanCard>
  );
}

/** The probability of a liquidation, with its error. */
const probabilityOf = ({ liquidationProbability, standardError, upperBound95 }: MonteCarlo): string =>
  formatProbability(liquidationProbability, standardError, upperBound95);

function Fan({ answers }: { answers: readonly MonteCarlo[] }): ReactNode {
  const [first, last] = [answers[0], answers.at(-1)];
  if (!first || !last) return null;
  const at = (of: 'p5' | 'p50' | 'p95') => [
    { at: 0, value: first.currentHealthFactor },
    ...answers.map(({ horizonDays, percentiles }) => ({
      at: horizonDays,
      value: percentiles[of].healthFactor,
    })),
  ];
  const { p5, p50, p95 } = last.percentiles;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-5 pt-5">
        <span className="text-2xl font-semibold">{probabilityOf(last)}</span>
        <span className="text-soft">
          probability of a liquidation within {last.horizonDays} days
          {last.standardError > 0 && ', with the error that covers 95 %'}
        </span>
      </p>
      <LineChart
        points={at('p50')}
        band={{ low: at('p5'), high: at('p95'), names: ['95 %', 'median', '5 %'] }}
        line={{ value: 1, name: 'liquidation' }}
        label={`Health factor from now to ${last.horizonDays} days ahead. Then the median is ${healthText(p50.healthFactor, true)}, and 90 % of the paths are from ${healthText(p5.healthFactor, true)} to ${healthText(p95.healthFactor, true)}.`}
        format={formatHealthFactor}
        from="now"
        to={`in ${last.horizonDays} days`}
      />
      <div className="border-t border-line">
        <FigureTable
          label="Figures of the simulation"
          name="Until"
          heads={['5 % below', 'Median', '95 % below', 'Liquidation']}
          isShort
          rows={answers.map((answer) => ({
            id: String(answer.horizonDays),
            name: `${answer.horizonDays} ${answer.horizonDays === 1 ? 'day' : 'days'}`,
            figures: [
              ...(['p5', 'p50', 'p95'] as const).map((each) =>
                healthText(answer.percentiles[each].healthFactor, true),
              ),
              probabilityOf(answer),
            ],
          }))}
        />
      </div>
      <Basis answer={last} paths={last.iterations} />
    </>
  );
}
