import type { CompiledFilter, FilterSubject, IndexedField } from './stream-filter';

interface Filtered {
  readonly filter: CompiledFilter;
  /** That of the filter; null: what the index finds fits. */
  readonly fitsRest: CompiledFilter['fitsRest'];
}

const FIELDS: readonly IndexedField[] = ['id', 'wallet', 'protocol', 'chainId'];

/** Subscriptions, found by what their filters name: an event touches only those that may want it. */
export class SubscriptionIndex<T extends Filtered> {
  private readonly byField: Record<IndexedField, Map<string | number, Set<T>>> = {
    id: new Map(),
    wallet: new Map(),
    protocol: new Map(),
    chainId: new Map(),
  };
  private readonly others = new Set<T>();

  add(entry: T): void {
    const { lookup } = entry.filter;
    if (!lookup) {
      this.others.add(entry);
      return;
    }
    const index = this.byField[lookup.field];
    for (const value of lookup.values) {
      const entries = index.get(value);
      if (entries) entries.add(entry);
      else index.set(value, new Set([entry]));
    }
  }

  remove(entry: T): void {
    const { lookup } = entry.filter;
    if (!lookup) {
      this.others.delete(entry);
      return;
    }
    const index = this.byField[lookup.field];
    for (const value of lookup.values) {
      const entries = index.get(value);
      entries?.delete(entry);
      if (entries?.size === 0) index.delete(value);
    }
  }

  /** Calls `visit` with each entry whose filter the subject fits. */
  match(subject: FilterSubject, visit: (entry: T) => void): void {
    visitFitting(this.others, subject, visit);
    const { position } = subject;
    if (!position) return;
    for (const field of FIELDS) {
      const index = this.byField[field];
      if (index.size > 0) visitFitting(index.get(position[field]), subject, visit);
    }
  }
}

function visitFitting<T extends Filtered>(
  entries: ReadonlySet<T> | undefined,
  subject: FilterSubject,
  visit: (entry: T) => void,
): void {
  if (entries) {
    for (const entry of entries) if (entry.fitsRest === null || entry.fitsRest(subject)) visit(entry);
  }
}
