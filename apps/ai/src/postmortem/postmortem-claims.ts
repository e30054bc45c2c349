import type { RootCause } from '@plimsoll/contracts';
import type { Claim } from '../facts/draft-answer';
import { say } from '../answers/say';
import type { Fact, FactUnit } from '../facts/fact';
import type { FactSheet } from '../facts/fact-sheet';
import type { Evidence, Incident } from './evidence';

export const ROOT_CAUSE = 'Root cause';

/** A position at a moment as facts. */
export interface StandingFacts {
  at: Fact;
  healthFactor: Fact;
  collateralUsd: Fact;
  debtUsd: Fact;
}

/** The facts of a postmortem. */
export interface PostmortemFacts {
  incident: Record<
    'id' | 'protocol' | 'chainId' | 'status' | 'severity' | 'trigger' | 'openedAt' | 'alertCount',
    Fact
  > & {
    closedAt: Fact | null;
    positions: Fact;
  };
  positionId: Fact | null;
  before: StandingFacts | null;
  worst: StandingFacts | null;
  withdrawnUsd: Fact;
  borrowedUsd: Fact;
}

export function postmortemFacts(sheet: FactSheet, incident: Incident, evidence: Evidence): PostmortemFacts {
  const source = `GET /v1/incidents/${incident.id}`;
  const add = (name: string, label: string, value: string | number | null, unit: FactUnit): Fact =>
    sheet.add(`incident.${name}`, `${label} of the incident`, value, unit, {
      time: incident.openedAt,
      source,
    });
  const addState = (
    name: string,
    from: string,
    of: { healthFactor: number | null; collateralUsd: number; debtUsd: number },
    time: string,
  ): StandingFacts => {
    const put = (field: string, label: string, value: string | number | null, unit: FactUnit): Fact =>
      sheet.add(`${name}.${field}`, `${label} ${name} the fall`, value, unit, { time, source: from });
    return {
      at: put('at', 'time', time, 'time'),
      healthFactor: put('healthFactor', 'health factor', of.healthFactor, 'ratio'),
      collateralUsd: put('collateralUsd', 'collateral', of.collateralUsd, 'usd'),
      debtUsd: put('debtUsd', 'debt', of.debtUsd, 'usd'),
    };
  };
  const { worst, before } = evidence;
  const moved = (name: string, label: string, value: number): Fact =>
    sheet.add(`moves.${name}`, label, value, 'usd', {
      time: worst?.at ?? incident.openedAt,
      source: 'GET /v1/whales/activity',
    });
  return {
    incident: {
      id: add('id', 'id', incident.id, 'id'),
      protocol: add('protocol', 'protocol', incident.protocol, 'id'),
      chainId: add('chainId', 'chain', incident.chainId, 'id'),
      status: add('status', 'status', incident.status, 'enum'),
      severity: add('severity', 'severity', incident.severity, 'enum'),
      trigger: add('trigger', 'trigger', incident.trigger, 'enum'),
      openedAt: add('openedAt', 'opening', incident.openedAt, 'time'),
      closedAt: incident.closedAt === null ? null : add('closedAt', 'closing', incident.closedAt, 'time'),
      alertCount: add('alertCount', 'alerts', incident.alertCount, 'count'),
      positions: add('positions', 'positions', incident.positionIds.length, 'count'),
    },
    positionId: worst && add('worst.positionId', 'worst position', worst.positionId, 'id'),
    worst: worst && addState('after', source, worst, worst.at),
    before: before && addState('before', 'GET /v1/analytics/historical', before, before.createdAt),
    withdrawnUsd: moved('withdrawnUsd', 'withdrawn less supplied by the wallet', evidence.withdrawnUsd),
    borrowedUsd: moved('borrowedUsd', 'borrowed less repaid by the wallet', evidence.borrowedUsd),
  };
}

export function summaryClaims({ incident, positionId, worst }: PostmortemFacts): Claim[] {
  const { id, protocol, chainId, status, severity, trigger, openedAt, closedAt, alertCount, positions } =
    incident;
  return [
    say`Incident ${id} in ${protocol} on chain ${chainId} was opened at ${openedAt}; its trigger was ${trigger}, its severity is ${severity} and its status ${status}.`,
    say`Alerts in it: ${alertCount}; positions in it: ${positions}.`,
    ...(positionId && worst
      ? [
          say`At its worst, at ${worst.at}, position ${positionId} had a health factor of ${worst.healthFactor}, with collateral of ${worst.collateralUsd} and debt of ${worst.debtUsd}.`,
        ]
      : []),
    ...(closedAt ? [say`It was closed at ${closedAt}.`] : []),
  ];
}

const CAUSES: Readonly<Record<Exclude<RootCause, 'unknown'>, string>> = {
  price: 'Prices: what the position held lost value against what it owed.',
  oracle: 'A price feed that went stale, and the price it came back with.',
  debt_growth: 'A growing debt: more was borrowed, or interest added up.',
  withdrawal: 'Collateral that was withdrawn.',
  protocol_change: 'A change of the protocol: the same collateral secures less debt than before.',
};

export function causeClaims(
  { before, worst, withdrawnUsd, borrowedUsd }: PostmortemFacts,
  cause: RootCause,
): Claim[] {
  if (cause === 'unknown' || !before || !worst)
    return [
      {
        ...say`The facts do not show it: there are no figures of the position from before, or its health factor did not fall.`,
        section: ROOT_CAUSE,
      },
    ];
  return [
    say`${CAUSES[cause]}`,
    say`From ${before.at} to ${worst.at} the health factor went from ${before.healthFactor} to ${worst.healthFactor}, the collateral from ${before.collateralUsd} to ${worst.collateralUsd} and the debt from ${before.debtUsd} to ${worst.debtUsd}.`,
    say`The wallet itself withdrew ${withdrawnUsd} and borrowed ${borrowedUsd} in that time, supplies and repayments taken off.`,
  ].map((claim) => ({ ...claim, section: ROOT_CAUSE }));
}
