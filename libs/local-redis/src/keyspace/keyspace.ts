import { RedisError } from '../resp/reply';
import { SortedSet } from './sorted-set';

/** The value of a key. Strings and members are latin1 text: one character a byte. */
export type Value = string | Map<string, string> | SortedSet;

export type ValueType = 'string' | 'hash' | 'zset';

interface Entry {
  value: Value;
  /** Milliseconds since 1970. Null: no expiry. */
  expiresAtMs: number | null;
}

const WRONG_TYPE = 'WRONGTYPE Operation against a key holding the wrong kind of value';

/**
 * All keys with their values and expiry times. Expired keys are never visible: a read removes them first, and
 * `removeExpired` removes those that are never read. Time is an argument, so that a script sees one time from
 * start to end.
 */
export class Keyspace {
  private readonly entries = new Map<string, Entry>();
  private readonly expiring = new Set<string>();

  /** @param onExpired is called with each key that an expiry time removed */
  constructor(private readonly onExpired: (key: string) => void) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: string, nowMs: number): Value | undefined {
    return this.entryAt(key, nowMs)?.value;
  }

  string(key: string, nowMs: number): string | undefined {
    const value = this.get(key, nowMs);
    if (value === undefined || typeof value === 'string') return value;
    throw new RedisError(WRONG_TYPE);
  }

  hash(key: string, nowMs: number): Map<string, string> | undefined {
    const value = this.get(key, nowMs);
    if (value === undefined || value instanceof Map) return value;
    throw new RedisError(WRONG_TYPE);
  }

  sortedSet(key: string, nowMs: number): SortedSet | undefined {
    const value = this.get(key, nowMs);
    if (value === undefined || value instanceof SortedSet) return value;
    throw new RedisError(WRONG_TYPE);
  }

  /** The hash under the key. It is created if it is missing. */
  hashToChange(key: string, nowMs: number): Map<string, string> {
    const found = this.hash(key, nowMs);
    if (found) return found;
    const made = new Map<string, string>();
    this.put(key, made, null);
    return made;
  }

  /** The sorted set under the key. It is created if it is missing. */
  sortedSetToChange(key: string, nowMs: number): SortedSet {
    const found = this.sortedSet(key, nowMs);
    if (found) return found;
    const made = new SortedSet();
    this.put(key, made, null);
    return made;
  }

  /** Replaces value and expiry time. */
  put(key: string, value: Value, expiresAtMs: number | null): void {
    this.entries.set(key, { value, expiresAtMs });
    this.index(key, expiresAtMs);
  }

  /** Removes a key whose hash or sorted set has become empty, as Redis does. */
  dropIfEmpty(key: string): void {
    const value = this.entries.get(key)?.value;
    if (value !== undefined && typeof value !== 'string' && value.size === 0) this.remove(key);
  }

  delete(key: string, nowMs: number): boolean {
    if (!this.entryAt(key, nowMs)) return false;
    this.remove(key);
    return true;
  }

  /** Milliseconds since 1970. Null: no expiry. Undefined: no such key. */
  expiresAtMs(key: string, nowMs: number): number | null | undefined {
    const entry = this.entryAt(key, nowMs);
    return entry && entry.expiresAtMs;
  }

  /** Sets the expiry time of an existing key. A time that has passed deletes the key. */
  expireAt(key: string, expiresAtMs: number | null, nowMs: number): boolean {
    const entry = this.entryAt(key, nowMs);
    if (!entry) return false;
    if (expiresAtMs !== null && expiresAtMs <= nowMs) {
      this.remove(key);
      return true;
    }
    entry.expiresAtMs = expiresAtMs;
    this.index(key, expiresAtMs);
    return true;
  }

  /** Every key that exists at this time, in the order of creation. */
  *keys(nowMs: number): Generator<string> {
    for (const key of this.entries.keys()) if (this.entryAt(key, nowMs)) yield key;
  }

  /**
   * Checks at most `most` keys with an expiry time, and removes the expired ones. The next call continues
   * with the keys after them. Returns the number of removed keys.
   */
  removeExpired(nowMs: number, most: number): number {
    let left = Math.min(most, this.expiring.size);
    let removed = 0;
    for (const key of this.expiring) {
      if (left === 0) break;
      left -= 1;
      if (!this.entryAt(key, nowMs)) removed += 1;
      else {
        this.expiring.delete(key);
        this.expiring.add(key);
      }
    }
    return removed;
  }

  clear(): void {
    this.entries.clear();
    this.expiring.clear();
  }

  private entryAt(key: string, nowMs: number): Entry | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.expiresAtMs === null || nowMs < entry.expiresAtMs) return entry;
    this.remove(key);
    this.onExpired(key);
    return undefined;
  }

  private remove(key: string): void {
    this.entries.delete(key);
    this.expiring.delete(key);
  }

  private index(key: string, expiresAtMs: number | null): void {
    if (expiresAtMs === null) this.expiring.delete(key);
    else this.expiring.add(key);
  }
}

export function typeOf(value: Value): ValueType {
  if (typeof value === 'string') return 'string';
  return value instanceof Map ? 'hash' : 'zset';
}
