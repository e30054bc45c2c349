import { SEVERITIES, type Severity, type StreamFilter } from '@plimsoll/contracts';

/** The subjects of filters: a position, an alert with its position, or a whale's move. */
export interface FilterSubject {
  /** Null for an alert without a position. */
  position: {
    id: string;
    wallet: string;
    protocol: string;
    chainId: number;
    healthFactor: number | null;
    collateralUsd: number;
  } | null;
  /** Null for other events than alerts. */
  severity: Severity | null;
}

type Predicate = (subject: FilterSubject) => boolean;
type Position = NonNullable<FilterSubject['position']>;

const aboutPosition =
  (test: (position: Position) => boolean): Predicate =>
  ({ position }) =>
    position !== null && test(position);

/** Fields by which an index can find a filter. */
export type IndexedField = 'id' | 'wallet' | 'protocol' | 'chainId';

/** A filter, compiled once for a subscription. */
export interface CompiledFilter {
  /** Its most selective list, under whose values an index stores it. Null without one. */
  readonly lookup: { readonly field: IndexedField; readonly values: readonly (string | number)[] } | null;
  /**
   * Whether the fields except `lookup` match, for subjects that the index found. Null without such fields.
   */
  readonly matchesRest: Predicate | null;
  /** Whether all fields match. */
  fits(subject: FilterSubject): boolean;
}

/** The filter of all subscriptions without a filter. */
const EVERYTHING: CompiledFilter = { lookup: null, matchesRest: null, fits: () => true };

/**
 * Every field that is present must match. An alert without a position matches no filter on positions. A
 * filter only narrows what the account may see, which is decided before.
 */
export function compileFilter(filter: StreamFilter): CompiledFilter {
  const lists = listsOf(filter);
  const [lookup = null, ...others] = lists;
  const rest = [...others.map(isListed), ...boundsOf(filter)];
  if (!lookup && rest.length === 0) return EVERYTHING;
  const fitsRest: Predicate = (subject) => rest.every((predicate) => predicate(subject));
  const fitsLookup = lookup ? isListed(lookup) : () => true;
  return {
    lookup,
    matchesRest: rest.length > 0 ? fitsRest : null,
    fits: (subject) => fitsLookup(subject) && fitsRest(subject),
  };
}

type List = NonNullable<CompiledFilter['lookup']>;

/** The most selective list first. */
function listsOf({ positionIds, wallets, protocols, chainIds }: StreamFilter): List[] {
  const lists: [IndexedField, readonly (string | number)[] | undefined][] = [
    ['id', positionIds],
    ['wallet', wallets?.map((wallet) => wallet.toLowerCase())],
    ['protocol', protocols],
    ['chainId', chainIds],
  ];
  return lists.flatMap(([field, values]) => (values ? [{ field, values: [...new Set(values)] }] : []));
}

function isListed({ field, values }: List): Predicate {
  const wanted = new Set(values);
  return aboutPosition((position) => wanted.has(position[field]));
}

function boundsOf({ maxHealthFactor, minUsd, minSeverity }: StreamFilter): Predicate[] {
  const bounds: Predicate[] = [];
  if (maxHealthFactor !== undefined) {
    bounds.push(
      aboutPosition(({ healthFactor }) => healthFactor !== null && healthFactor <= maxHealthFactor),
    );
  }
  if (minUsd !== undefined) bounds.push(aboutPosition(({ collateralUsd }) => collateralUsd >= minUsd));
  if (minSeverity !== undefined) {
    const least = rank(minSeverity);
    bounds.push(({ severity }) => severity !== null && rank(severity) >= least);
  }
  return bounds;
}

function rank(severity: string): number {
  return (SEVERITIES as readonly string[]).indexOf(severity);
}
