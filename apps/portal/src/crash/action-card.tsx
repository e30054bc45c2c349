import { ApiError } from '@plimsoll/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '../api/client';
import { formatCount, formatHealthFactor, formatUsd, shortened } from '../design/format';
import { LINK } from '../design/link';
import { ErrorNotice } from '../design/notice';
import { Time, Usd } from '../design/values';
import { type Tier, includesPlan } from '../positions/plan-needed';
import { changedAt } from './alert-list';
import { type BestAction, bestAction } from './best-action';
import type { Alert } from './alert';
import { deleverageQuery } from './requests';

/** The figures of the best action are read again this often. */
const REST_MS = 5_000;
const VERBS = { repay: 'Repay', add_collateral: 'Add' } as const;

/** The one action that helps most per dollar. */
export function ActionCard({
  alerts,
  tier,
}: {
  alerts: UseQueryResult<readonly Alert[]>;
  tier: Tier;
}): ReactNode {
  const best = bestAction(alerts.data ?? []);
  return (
    <section
      aria-label="Best action"
      className="flex grow flex-col gap-2 border-t border-line px-4 py-5 sm:px-6"
    >
      <h2 className="text-lg text-soft lg:text-xl">Helps most per dollar</h2>
      {best && <Best best={best} tier={tier} />}
      {!best && tier === 'open' && (
        <p className="text-lg">
          Remedies begin with the pro plan.{' '}
          <Link to="/account" search={{ dialog: 'plan' }} className={LINK}>
            Change plan
          </Link>
        </p>
      )}
      {!best && alerts.isSuccess && <p className="text-lg">No active alert has a remedy.</p>}
      {!best && alerts.isError && <p className="text-lg">The alerts, which have it, could not be read.</p>}
    </section>
  );
}

function Best({ best: { alert, remedy, perDollar }, tier }: { best: BestAction; tier: Tier }): ReactNode {
  const canCompute = includesPlan(tier, 'business');
  const plan = useQuery({
    ...deleverageQuery(alert.positionId, alert.targetHealthFactor),
    enabled: canCompute,
    refetchInterval: REST_MS,
  });
  const now = plan.data && costNow(remedy, plan.data);
  const block = plan.data?.block ?? plan.data?.asOfBlock[alert.chainId ?? 0];
  const isGone = plan.error instanceof ApiError && plan.error.status === 404;
  const usd = now ?? remedy.usd;
  return (
    <>
      <p className="text-2xl font-semibold xl:text-3xl">
        {VERBS[remedy.action]} {formatUsd(usd)} <span className="text-xl font-normal text-soft">USD of</span>{' '}
        {remedy.asset}
      </p>
      <p className="text-lg lg:text-xl">
        <Link to="/positions/$id" params={{ id: alert.positionId }} className={LINK}>
          {alert.walletLabel ?? shortened(alert.wallet ?? '')}
        </Link>{' '}
        <span className="text-soft">
          on {alert.protocolName}, {alert.chainName}
        </span>
      </p>
      <p className="text-lg lg:text-xl">
        <strong>{formatUsd(now ? alert.usdAtStake / now : perDollar)} USD</strong> at stake for each dollar,
        to health factor {formatHealthFactor(alert.targetHealthFactor)}.
      </p>
      <p className="text-sm text-soft">
        At stake: <Usd value={alert.usdAtStake} />.{' '}
        {now !== undefined && block !== undefined ? (
          <>Cost at block {formatCount(block)}.</>
        ) : (
          <>
            Cost when the alert changed, <Time at={changedAt(alert)} />.
            {!canCompute && ' The present cost begins with the business plan.'}
          </>
        )}
      </p>
      {plan.isError && !isGone && <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />}
    </>
  );
}

/** Returns the cost of the remedy at the block of the plan, in USD. Undefined: nothing is needed now. */
function costNow(
  { action, asset }: BestAction['remedy'],
  { requiredRepayUsd, addCollateralUsd }: Schema<'DeleverageAnswer'>,
): number | undefined {
  const usd = action === 'repay' ? requiredRepayUsd : addCollateralUsd[asset];
  return usd || undefined;
}
