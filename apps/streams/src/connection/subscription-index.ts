import type { CompiledFilter, FilterSubject, IndexedField } from '../log/stream-filter';

interface Filtered {
  readonly filter: CompiledFilter;
  /** That of the filter. Null when every subject from the index matches. */
  readonly matchesRest: CompiledFilter['matchesRest'];
}

/** Entries, with the number under which each was added. */
type Entries<T> = Map<T, number>;

const FIELDS: readonly IndexedField[] = ['id', 'wallet', 'protocol', 'chainId'];

/**
 * Subscriptions by the values that their filters name, so that an event only touches those that may match it.
 */
export class SubscriptionIndex<T extends Filtered> {
  private readonly byField: Record<IndexedField, Map<string | number, Entries<T>>> = {
    id: new Map(),
    wallet: new Map(),
    protocol: new Map(),
    chainId: new Map(),
  };
  /** Subscriptions without a filter. Their numbers suffice, so their other memory is not read. */
  private readonly unfiltered: Entries<T> = new Map();
  private readonly others: Entries<T> = new Map();

  /** @param slot number that `match` passes on */
  add(entry: T, slot: number): void {
    const { lookup } = entry.filter;
    if (!lookup) {
      this.unlisted(entry).set(entry, slot);
      return;
    }
    const index = this.byField[lookup.field];
    for (const value of lookup.values) {
      const entries = index.get(value);
      if (entries) entries.set(entry, slot);
      else index.set(value, new Map([[entry, slot]]));
    }
  }

  remove(entry: T): void {
    const { lookup } = entry.filter;
    if (!lookup) {
      this.unlisted(entry).delete(entry);
      return;
    }
    const index = this.byField[lookup.field];
    for (const value of lookup.values) {
      const entries = index.get(value);
      entries?.delete(entry);
      if (entries?.size === 0) index.delete(value);
    }
  }

  /** Calls `visit` with the slot of each entry whose filter matches the subject. */
  match(subject: FilterSubject, visit: (slot: number) => void): void {
    for (const slot of this.unfiltered.values()) visit(slot);
    visitFitting(this.others, subject, visit);
    const { position } = subject;
    if (!position) return;
    for (const field of FIELDS) {
      const index = this.byField[field];
      if (index.size > 0) visitFitting(index.get(position[field]), subject, visit);
    }
  }

  private unlisted({ matchesRest }: T): Entries<T> {
    return matchesRest === null ? this.unfiltered : this.others;
  }
}

function visitFitting<T extends Filtered>(
  entries: ReadonlyMap<T, number> | undefined,
  subject: FilterSubject,
  visit: (slot: number) => void,
): void {
  if (!entries) return;
  for (const [{ matchesRest }, slot] of entries)
    if (matchesRest === null || matchesRest(subject)) visit(slot);
}
