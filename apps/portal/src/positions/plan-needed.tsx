import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Schema, sessionQuery } from '../api/client';
import { Card } from '../design/layout';
import { LINK } from '../design/link';
import { Empty } from '../design/notice';

export type Tier = Schema<'SessionInfo'>['account']['tier'];

const TIERS: readonly Tier[] = ['open', 'pro', 'business', 'enterprise'];

/** Whether a tier has the parts of a plan. */
export const includesPlan = (tier: Tier, plan: Tier): boolean => TIERS.indexOf(tier) >= TIERS.indexOf(plan);

/** A card of a plan and those above it. Users of a lower plan see its purpose, and where to change the plan. */
export function PlanCard({
  title,
  plan,
  needed,
  purpose,
  children,
}: {
  title: string;
  plan: Tier;
  /** Names the plan that has it. */
  needed: string;
  purpose: string;
  /** The card. */
  children: (tier: Tier) => ReactNode;
}): ReactNode {
  const tier = useQuery(sessionQuery).data?.account.tier ?? 'open';
  if (includesPlan(tier, plan)) return children(tier);
  return (
    <Card title={title}>
      <PlanNeeded title={needed}>{purpose}</PlanNeeded>
    </Card>
  );
}

/** In place of a part that the plan does not have. */
export function PlanNeeded({
  title,
  children,
}: {
  /** Names the plan that has it. */
  title: string;
  /** Its purpose. */
  children: ReactNode;
}): ReactNode {
  return (
    <Empty title={title}>
      <p className="text-soft">{children}</p>
      <Link to="/account" search={{ dialog: 'plan' }} className={LINK}>
        Change plan
      </Link>
    </Empty>
  );
}
