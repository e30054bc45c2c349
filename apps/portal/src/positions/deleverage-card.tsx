import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { fieldErrors, fieldsOf } from '../account/forms';
import { type Schema, plimsoll } from '../api/client';
import { docs } from '../api/origin';
import { Button } from '../design/button';
import { RadioGroup, TextField } from '../design/field';
import { formatAmount, formatCount, formatHealthFactor } from '../design/format';
import { Card, Facts } from '../design/layout';
import { healthText } from '../design/levels';
import { LINK } from '../design/link';
import { Empty, ErrorNotice, Notice } from '../design/notice';
import { Measure, Usd } from '../design/values';
import { AtBlock } from './basis';
import { PlanCard, PlanNeeded } from './plan-needed';
import type { Detailed } from './requests';

type Plan = Schema<'DeleverageAnswer'>;
type Execution = Schema<'ExecutionRecord'>;
type Strategy = Plan['strategy'];

interface Wanted {
  targetHealthFactor: number;
  strategy: Strategy;
  /** Only for sales. */
  maxSlippageBps: number;
}

const [LOWEST_TARGET, HIGHEST_TARGET] = [1, 10];
const [LOWEST_SLIPPAGE, HIGHEST_SLIPPAGE] = [0.01, 10];
/** Percent. */
const DEFAULT_SLIPPAGE = '0.5';
const BPS_OF_PERCENT = 100;
/** The first proposal is at least this much above the present health factor. */
const BETTER = 0.1;

const STRATEGIES: readonly { value: Strategy; label: string; hint: string }[] = [
  { value: 'repay_debt', label: 'Repay', hint: 'Other funds of the wallet pay.' },
  { value: 'sell_collateral', label: 'Sell collateral', hint: 'Withdraw, swap and repay, in steps.' },
  {
    value: 'flash_loan_unwind',
    label: 'Unwind with a flash loan',
    hint: 'Sell and repay in one transaction of the executor contract.',
  },
];

/** The repayment or sale that brings a position to a health factor, and its effect on the chain. */
export function DeleverageCard({ position }: { position: Detailed }): ReactNode {
  return (
    <PlanCard
      title="Deleverage"
      plan="business"
      needed="The calculator begins with the business plan."
      purpose="It states the smallest repayment or sale that reaches a health factor, with its costs."
    >
      {(tier) =>
        position.totalDebtUsd === 0 ? (
          <Card title="Deleverage">
            <Empty title="Without debt, there is nothing to repay." />
          </Card>
        ) : (
          <Calculator position={position} hasExecution={tier === 'enterprise'} />
        )
      }
    </PlanCard>
  );
}

/** A target that improves the position, in steps of 0.05. */
function proposedTarget({ healthFactor, riskThresholds }: Detailed): number {
  const better = Math.ceil(((healthFactor ?? 0) + BETTER) * 20) / 20;
  return Math.min(HIGHEST_TARGET, Math.max(riskThresholds.healthFactor.moderate, better));
}

/** Says why a text is not a number in the range. Null: it is one. */
const outside =
  (above: number, most: number, isAboveIncluded: boolean) =>
  (value: string): string | null => {
    const number = Number(value);
    const isValid =
      value.trim() !== '' && number <= most && (number > above || (isAboveIncluded && number === above));
    if (isValid) return null;
    return isAboveIncluded
      ? `A number from ${above} to ${most}.`
      : `A number above ${above}, at most ${most}.`;
  };

function Calculator({ position, hasExecution }: { position: Detailed; hasExecution: boolean }): ReactNode {
  const { id } = position;
  const [strategy, setStrategy] = useState<Strategy>('repay_debt');
  const isSale = strategy !== 'repay_debt';
  const plan = useMutation({
    mutationFn: (wanted: Wanted) => plimsoll.positions.planDeleverage({ id, ...wanted }),
  });
  return (
    <Card title="Deleverage">
      <div className="grid gap-x-10 gap-y-6 p-5 lg:grid-cols-2">
        <Form
          className="flex flex-col gap-5"
          validationErrors={fieldErrors(plan.error)}
          onSubmit={(event) => {
            const { targetHealthFactor, slippage } = fieldsOf(event);
            plan.mutate({
              targetHealthFactor: Number(targetHealthFactor),
              strategy,
              maxSlippageBps: Math.round(Number(slippage ?? DEFAULT_SLIPPAGE) * BPS_OF_PERCENT),
            });
          }}
        >
          <TextField
            label="Health factor to reach"
            name="targetHealthFactor"
            inputMode="decimal"
            defaultValue={String(proposedTarget(position))}
            validate={outside(LOWEST_TARGET, HIGHEST_TARGET, false)}
            autoComplete="off"
            isRequired
          />
          <RadioGroup
            label="How"
            choices={STRATEGIES}
            value={strategy}
            onChange={(value) =>
              setStrategy(STRATEGIES.find((each) => each.value === value)?.value ?? 'repay_debt')
            }
          />
          {isSale && (
            <TextField
              label="Most slippage, percent"
              name="slippage"
              inputMode="decimal"
              defaultValue={DEFAULT_SLIPPAGE}
              hint="The most that the sale may lose against the oracle of the protocol."
              validate={outside(LOWEST_SLIPPAGE, HIGHEST_SLIPPAGE, true)}
              autoComplete="off"
              isRequired
            />
          )}
          <div>
            <Button kind="primary" type="submit" isPending={plan.isPending}>
              {plan.isPending ? 'Computing' : 'Compute'}
            </Button>
          </div>
        </Form>
        <div className="flex min-w-0 flex-col gap-4">
          {!plan.data && !plan.isError && (
            <p role="status" className="text-soft">
              {plan.isPending
                ? 'The API computes it.'
                : 'The smallest amount that reaches the target, with its costs. Nothing is executed.'}
            </p>
          )}
          {plan.isError && <ErrorNotice error={plan.error} />}
          {plan.data && plan.variables && (
            <PlanFigures
              key={plan.submittedAt}
              plan={plan.data}
              wanted={plan.variables}
              hasExecution={hasExecution}
            />
          )}
        </div>
      </div>
    </Card>
  );
}

function PlanFigures({
  plan,
  wanted,
  hasExecution,
}: {
  plan: Plan;
  wanted: Wanted;
  hasExecution: boolean;
}): ReactNode {
  const { sale, requiredRepayUsd, feasible, addCollateralUsd, currentHealthFactor, targetHealthFactor } =
    plan;
  const isReached = feasible && requiredRepayUsd === 0;
  return (
    <>
      {!feasible && (
        <Notice tone="warn" title="No sale of the collateral reaches this target">
          <p>Repay from other funds, add collateral, or choose a lower target.</p>
        </Notice>
      )}
      {isReached && <Notice tone="good" title="The target is reached already" />}
      <div className="rounded-md border border-line">
        <Facts
          facts={[
            [
              'Health factor',
              `${healthText(currentHealthFactor, true)} to ${formatHealthFactor(targetHealthFactor)}`,
            ],
            [feasible ? 'Repay' : 'Repay from other funds', <Usd value={requiredRepayUsd} />],
            ...(sale && sale.sellUsd !== null
              ? [
                  [
                    `Sell ${sale.asset}`,
                    <span>
                      <Usd value={sale.sellUsd} />, including costs of at most{' '}
                      <Usd value={sale.costUsd ?? 0} />
                    </span>,
                  ] as const,
                ]
              : []),
            ...Object.entries(addCollateralUsd)
              .filter(([, usd]) => usd > 0)
              .map(([asset, usd]) => [`Or add ${asset}`, <Usd value={usd} />] as const),
          ]}
        />
      </div>
      <p className="text-sm text-soft">
        <AtBlock answer={plan} />
      </p>
      {feasible && !isReached && <Preview plan={plan} wanted={wanted} hasExecution={hasExecution} />}
    </>
  );
}

/** The effect of the plan on the newest block of the chain. */
function Preview({
  plan: { positionId },
  wanted,
  hasExecution,
}: {
  plan: Plan;
  wanted: Wanted;
  hasExecution: boolean;
}): ReactNode {
  const { strategy } = wanted;
  const preview = useMutation({
    mutationFn: async () =>
      (await plimsoll.execution.deleverage({ positionId, mode: 'simulate', ...wanted })).execution,
  });
  if (!hasExecution)
    return (
      <div className="rounded-md border border-line">
        <PlanNeeded title="Executions begin with the enterprise plan.">
          A preview simulates the transactions on the newest block, with gas and fees.
        </PlanNeeded>
      </div>
    );
  if (strategy === 'flash_loan_unwind')
    return (
      <p className="text-sm text-soft">
        The executor contract unwinds for wallets that authorised it, so there is no preview here.{' '}
        <a href={docs('/api/execution')} className={LINK}>
          Authorise it
        </a>
      </p>
    );
  return (
    <>
      <div>
        <Button isPending={preview.isPending} onPress={() => preview.mutate()}>
          {preview.isPending ? 'Simulating' : 'Preview the execution'}
        </Button>
      </div>
      {preview.isError && <ErrorNotice error={preview.error} />}
      {preview.data && <Simulated execution={preview.data} />}
    </>
  );
}

const tokens = (amounts: Execution['repays'] | Execution['sells']): ReactNode =>
  amounts.length === 0
    ? 'nothing'
    : amounts.map(({ asset, amount, usdValue }) => (
        <span key={asset} className="block">
          <Measure value={formatAmount(amount)} unit={asset} /> (<Usd value={usdValue} />)
        </span>
      ));

const known = (usd: number | null | undefined): ReactNode =>
  usd === null || usd === undefined ? 'unknown: no fresh price' : <Usd value={usd} />;

function Simulated({ execution }: { execution: Execution }): ReactNode {
  const { healthFactorBefore, predictedHealthFactor, repays, sells, costs, fees, block } = execution;
  return (
    <section aria-label="Preview of the execution" className="rounded-md border border-line">
      <Facts
        facts={[
          [
            'Health factor on the chain',
            <strong>
              {healthText(healthFactorBefore, true)} to {healthText(predictedHealthFactor, true)}
            </strong>,
          ],
          ['Repays', tokens(repays)],
          ...(sells.length > 0 ? [['Sells', tokens(sells)] as const] : []),
          [
            'Gas',
            <span>
              {known(fees?.gasUsd)}, {formatCount(costs.gasUnits)} units
            </span>,
          ],
          ...(sells.length > 0
            ? [
                ['Fee of the swap', <Usd value={costs.feeUsd} />] as const,
                ['Most slippage', <Usd value={costs.slippageUsd} />] as const,
              ]
            : []),
          ['All fees', known(fees?.totalUsd)],
        ]}
      />
      <p className="border-t border-line px-5 py-3 text-sm text-soft">
        Simulated on block {formatCount(block ?? 0)}. Nothing was sent. The API builds the transactions for
        your wallet to sign with <code className="font-mono">mode: build</code>.{' '}
        <a href={docs('/api/execution')} className={LINK}>
          How to execute
        </a>
      </p>
    </section>
  );
}
