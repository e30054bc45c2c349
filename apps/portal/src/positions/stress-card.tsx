import type { ReactNode } from 'react';
import { FigureTable } from '../design/figure-table';
import { formatChange } from '../design/format';
import { healthText } from '../design/levels';
import { Status, Usd } from '../design/values';
import { AtBlock } from './basis';
import { type Stressed, byDanger, stressQuery } from './outlook';
import { PlanCard } from './plan-needed';
import type { Detailed } from './requests';
import { RunCard } from './run-card';

/** The position under each past and assumed crash, side by side. */
export function StressCard({ position: { id, totalDebtUsd } }: { position: Detailed }): ReactNode {
  return (
    <PlanCard
      title="Stress scenarios"
      plan="business"
      needed="Stress scenarios begin with the business plan."
      purpose="They state the effect of past crashes on this position."
    >
      {() => (
        <RunCard
          title="Stress scenarios"
          about="The effect of past and assumed crashes on this position, each from the present prices."
          action="Compare"
          hasDebt={totalDebtUsd > 0}
          query={stressQuery(id)}
        >
          {(stressed) => <Scenarios stressed={stressed} />}
        </RunCard>
      )}
    </PlanCard>
  );
}

const HEADS = ['Prices', 'Health factor', 'Loss', 'Penalty and slippage in it'];

function Scenarios({ stressed: { answer, scenarios } }: { stressed: Stressed }): ReactNode {
  return (
    <>
      <FigureTable
        label="Stress scenarios"
        name="Scenario"
        heads={HEADS}
        rows={byDanger(answer.results).map((result) => {
          const scenario = scenarios.get(result.scenario);
          return {
            id: result.scenario,
            name: (
              <>
                {scenario?.description ?? result.scenario}
                {scenario?.from && (
                  <span className="block text-sm font-normal text-soft">
                    {scenario.from} to {scenario.to}
                  </span>
                )}
              </>
            ),
            figures: [
              <span className="inline-flex flex-wrap justify-end gap-x-3 lg:flex-col">
                {Object.entries(result.shocks).map(([asset, percent]) => (
                  <span key={asset} className="whitespace-nowrap">
                    <span className="text-soft">{asset}</span> {formatChange(percent)}
                  </span>
                ))}
              </span>,
              <span className="inline-flex items-center gap-x-3 whitespace-nowrap">
                {result.liquidated ? (
                  <Status tone="bad">liquidated</Status>
                ) : (
                  <Status tone="good">holds</Status>
                )}
                {healthText(result.healthFactor, true)}
              </span>,
              <Usd value={result.estimatedLoss} />,
              <Usd value={result.lossSplit.penaltyUsd + result.lossSplit.slippageUsd} />,
            ],
          };
        })}
      />
      <p className="border-t border-line px-5 py-3 text-sm text-soft">
        Losses are those of the owner, at most the net worth. One liquidation repays at most{' '}
        {Math.round(answer.assumptions.closeFactor * 100)}&nbsp;% of the debt. <AtBlock answer={answer} />
      </p>
    </>
  );
}
