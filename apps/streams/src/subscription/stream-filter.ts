import { SEVERITIES, type Severity, type StreamFilter } from '@plimsoll/contracts';

/** What filters look at: a position, an alert with the position it is about, or a whale's move in the place of one. */
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

/** What an index can look a filter up by. */
export type IndexedField = 'id' | 'wallet' | 'protocol' | 'chainId';

/** A filter, made once for a subscription. */
export interface CompiledFilter {
  /** Its most selective list, under whose values an index keeps it; null: it has none. */
  readonly lookup: { readonly field: IndexedField; readonly values: readonly (string | number)[] } | null;
  /** Whether the fields beside `lookup` hold, for what the index found; null: there are none. */
  readonly fitsRest: Predicate | null;
  /** Whether all of it holds. */
  fits(subject: FilterSubject): boolean;
}

/** Of a subscription without a filter; one for all of them. */
const EVERYTHING: CompiledFilter = { lookup: null, fitsRest: null, fits: () => true };

/**
 * Every field that is present must hold; an alert about no position fits no filter on positions. A filter can only
 * narrow what the account may see: who may see what is decided before.
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
    fitsRest: rest.length > 0 ? fitsRest : null,
    fits: (subject) => fitsLookup(subject) && fitsRest(subject),
  };
}

type List = NonNullable<CompiledFilter['lookup']>;

/** The most selective first. */
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
