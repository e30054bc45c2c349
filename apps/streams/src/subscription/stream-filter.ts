import { SEVERITIES, type Severity, type StreamFilter } from '@plimsoll/contracts';

/** What filters look at: a position, or an alert with the position it is about. */
export interface FilterSubject {
  /** Null: an alert that is about no position. */
  position: {
    id: string;
    wallet: string;
    protocol: string;
    chainId: number;
    healthFactor: number | null;
    collateralUsd: number;
  } | null;
  /** Null: not an alert. */
  severity: Severity | null;
}

type Predicate = (subject: FilterSubject) => boolean;
type Position = NonNullable<FilterSubject['position']>;

const aboutPosition =
  (test: (position: Position) => boolean): Predicate =>
  ({ position }) =>
    position !== null && test(position);

/**
 * A filter as one function, made once for a subscription. Every field that is present must hold; an alert about no
 * position fits no filter on positions. It can only narrow what the account may see: who may see what is decided before.
 */
export function compileFilter(filter: StreamFilter = {}): Predicate {
  const { wallets, positionIds, protocols, chainIds, maxHealthFactor, minSeverity, minUsd } = filter;
  const predicates: Predicate[] = [];
  if (wallets) {
    const wanted = new Set(wallets.map((wallet) => wallet.toLowerCase()));
    predicates.push(aboutPosition(({ wallet }) => wanted.has(wallet)));
  }
  if (positionIds) {
    const wanted = new Set(positionIds);
    predicates.push(aboutPosition(({ id }) => wanted.has(id)));
  }
  if (protocols) {
    const wanted = new Set(protocols);
    predicates.push(aboutPosition(({ protocol }) => wanted.has(protocol)));
  }
  if (chainIds) {
    const wanted = new Set(chainIds);
    predicates.push(aboutPosition(({ chainId }) => wanted.has(chainId)));
  }
  if (maxHealthFactor !== undefined) {
    predicates.push(
      aboutPosition(({ healthFactor }) => healthFactor !== null && healthFactor <= maxHealthFactor),
    );
  }
  if (minUsd !== undefined) predicates.push(aboutPosition(({ collateralUsd }) => collateralUsd >= minUsd));
  if (minSeverity !== undefined) {
    const least = rank(minSeverity);
    predicates.push(({ severity }) => severity !== null && rank(severity) >= least);
  }
  return (subject) => predicates.every((predicate) => predicate(subject));
}

function rank(severity: string): number {
  return (SEVERITIES as readonly string[]).indexOf(severity);
}
