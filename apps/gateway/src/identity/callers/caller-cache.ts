import type { Caller } from './caller';

const MAX_KEYS = 50_000;
/** Separate from the keys, so that guesses cannot evict them. */
const MAX_UNKNOWN = 10_000;
const MAX_PENDING = 1_000;

interface Entry {
  record: Caller | null;
  loadedAtMs: number;
}

/** More simultaneous lookups than the database should have. */
export class TooManyLookups extends Error {
  override readonly name = 'TooManyLookups';
}

/**
 * Keys by their hash: one lookup for each at a time, with unknown ones cached too, bounded in size and age.
 */
export class CallerCache {
  private readonly known = new Map<string, Entry>();
  private readonly unknown = new Map<string, Entry>();
  private readonly pending = new Map<string, Promise<Caller | null>>();
  private epoch = 0;

  /** @param find the lookup; null without such a key */
  constructor(private readonly find: (hash: string) => Promise<Caller | null>) {}

  /** Returns a cached key without a lookup. Parameters as for get. */
  peek(hash: string, nowMs: number, maxAgeMs: number): Caller | undefined {
    const entry = this.known.get(hash);
    return entry && nowMs - entry.loadedAtMs < maxAgeMs ? (entry.record ?? undefined) : undefined;
  }

  /**
   * @param nowMs monotonic
   * @param maxAgeMs highest age of an entry
   */
  get(hash: string, nowMs: number, maxAgeMs: number): Caller | null | Promise<Caller | null> {
    const entry = this.known.get(hash) ?? this.unknown.get(hash);
    if (entry && nowMs - entry.loadedAtMs < maxAgeMs) return entry.record;
    return this.pending.get(hash) ?? this.load(hash, nowMs);
  }

  /** Returns true for a secret that was valid at its last lookup. */
  has(hash: string): boolean {
    return this.known.has(hash);
  }

  /**
   * Removes the keys of an account, and lookups in progress, which may have read the state before its change.
   */
  forgetAccount(accountId: string): void {
    this.epoch += 1;
    this.pending.clear();
    this.unknown.clear();
    for (const [hash, { record }] of this.known)
      if (record && (record.testOf ?? record.accountId) === accountId) this.known.delete(hash);
  }

  /** Removes everything, because changes may have been missed. */
  clear(): void {
    this.epoch += 1;
    this.pending.clear();
    this.unknown.clear();
    this.known.clear();
  }

  private load(hash: string, startedAtMs: number): Promise<Caller | null> {
    if (this.pending.size >= MAX_PENDING) return Promise.reject(new TooManyLookups());
    const epoch = this.epoch;
    const loading = this.find(hash)
      .then((record) => {
        if (epoch === this.epoch) this.store(hash, { record, loadedAtMs: startedAtMs });
        return record;
      })
      .finally(() => {
        if (this.pending.get(hash) === loading) this.pending.delete(hash);
      });
    this.pending.set(hash, loading);
    return loading;
  }

  private store(hash: string, entry: Entry): void {
    const [into, other, max] = entry.record
      ? [this.known, this.unknown, MAX_KEYS]
      : [this.unknown, this.known, MAX_UNKNOWN];
    other.delete(hash);
    into.delete(hash);
    into.set(hash, entry);
    if (into.size > max) into.delete(into.keys().next().value ?? '');
  }
}
