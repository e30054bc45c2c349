import type { Filter, ListScene } from './scene';

/** A list with values of its filters. */
export interface PlanCase {
  filter: Filter;
  isDisjoint: boolean;
}

/** No filter, each value of each filter alone, each pair of values of two filters, and all rarest values together. */
export function combinations({
  filters,
  disjoint = [],
}: Pick<ListScene, 'filters' | 'disjoint'>): PlanCase[] {
  const single = Object.entries(filters).flatMap(([name, values]) =>
    values.map((value) => ({ name, value })),
  );
  const pairs = single.flatMap((one, at) =>
    single.slice(at + 1).flatMap((other) => (other.name === one.name ? [] : [[one, other]])),
  );
  const all = Object.entries(filters).map(([name, values]) => ({ name, value: values.at(-1) }));
  const filterOf = (parts: readonly { name: string; value: unknown }[]): Filter =>
    Object.fromEntries(parts.map(({ name, value }) => [name, value]));
  const plain = [[], ...single.map((each) => [each]), ...pairs, ...(all.length > 2 ? [all] : [])].map(
    filterOf,
  );
  return [
    ...plain.map((filter) => ({ filter, isDisjoint: false })),
    ...disjoint.map((filter) => ({ filter, isDisjoint: true })),
  ];
}
