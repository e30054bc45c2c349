import type { InfiniteData } from '@tanstack/react-query';
import type { Position, PositionFilter, PositionList, Sort } from './requests';

/** A position of the stream: its figures, and what it was before. */
export type Change = Position & { block: number };

type Pages = InfiniteData<PositionList>;

/** The order of the API: equal ones by their id. */
function compareBy(sort: Sort = 'healthFactor'): (a: Position, b: Position) => number {
  const byHealth = (a: Position, b: Position): number => {
    if (a.healthFactorRaw === b.healthFactorRaw) return 0;
    if (a.healthFactorRaw === null) return 1;
    if (b.healthFactorRaw === null) return -1;
    return a.healthFactorRaw < b.healthFactorRaw ? -1 : 1;
  };
  const compare = sort === 'healthFactor' ? byHealth : (a: Position, b: Position) => b[sort] - a[sort];
  return (a, b) => compare(a, b) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** Whether a position has the figures that a filter requires. Its wallet is not compared. */
function matches({ protocol, chain, level, health, debt }: PositionFilter, position: Position): boolean {
  return (
    (protocol === undefined || position.protocol === protocol) &&
    (chain === undefined || position.chainId === chain) &&
    (level === undefined || position.riskLevel === level) &&
    (health === undefined || (position.healthFactor !== null && position.healthFactor <= health)) &&
    (debt === undefined || position.totalDebtUsd >= debt)
  );
}

export interface ChangedList {
  data: Pages;
  /** Whether the list must be read again: a position was opened or closed, or entered the list. */
  isStale: boolean;
}

/** A list with the changes of the stream, in its order. Changes of earlier blocks than the list has are left out. */
export function withChanges(
  data: Pages,
  changes: ReadonlyMap<string, Change>,
  filter: PositionFilter,
): ChangedList {
  const compare = compareBy(filter.sort);
  const blocks = data.pages[0]?.asOfBlock ?? {};
  const rows = data.pages.flatMap(({ positions }) => positions);
  const known = new Set<string>();
  let isChanged = false;
  let isStale = false;
  const next = rows.flatMap((row) => {
    known.add(row.id);
    const change = changes.get(row.id);
    const block = row.block ?? blocks[row.chainId] ?? 0;
    if (!change || change.block < block) return [row];
    if (change.totalSuppliedUsd === 0 && change.totalDebtUsd === 0) isStale = true;
    if (change.block === block) return [row];
    isChanged = true;
    return matches(filter, change) ? [withFigures(row, change)] : [];
  });
  const last = next.at(-1);
  const isComplete = data.pages.at(-1)?.nextCursor === null;
  // The stream does not say whether a wallet belongs to a group or a name.
  if (filter.group === undefined && filter.wallet === undefined)
    for (const change of changes.values())
      if (!known.has(change.id) && matches(filter, change))
        isStale ||= isComplete || (last !== undefined && compare(change, last) < 0);
  if (!isChanged) return { data, isStale };
  next.sort(compare);
  let begin = 0;
  const pages = data.pages.map((page, index) => {
    const end = index === data.pages.length - 1 ? next.length : begin + page.positions.length;
    const positions = next.slice(begin, end);
    begin = end;
    return { ...page, positions };
  });
  return { data: { ...data, pages }, isStale };
}

/** The parts of a change that a list has. */
const FIGURES = [
  'block',
  'healthFactor',
  'healthFactorRaw',
  'totalCollateralUsd',
  'totalDebtUsd',
  'totalSuppliedUsd',
  'netWorthUsd',
  'isDust',
  'riskLevel',
  'riskLevelBasis',
  'riskLevelReason',
  'probability7d',
  'flags',
] as const satisfies readonly (keyof Change)[];

/** A row with the figures of a change. It loses those that the change does not have, such as flags that ended. */
function withFigures(row: Position, change: Change): Position {
  const next: Record<string, unknown> = { ...row };
  for (const name of FIGURES)
    if (change[name] === undefined) delete next[name];
    else next[name] = change[name];
  return next as Position;
}
