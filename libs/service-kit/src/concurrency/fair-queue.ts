interface Waiting<T> {
  item: T;
  /** Virtual time at which the item is complete when its account receives its fair share. */
  finish: number;
}

/**
 * A queue that shares one resource fairly between accounts (self-clocked fair queuing). Costs are known when
 * items are added. While several accounts wait, each receives the same total cost, whatever its number of
 * items. An account whose item is cheap therefore waits for about as much work of each other account as it
 * requests itself, and at most one further item of it. When the next items of two accounts cost the same, the
 * account with fewer waiting items is first.
 */
export class FairQueue<T> {
  readonly #accounts = new Map<string, Waiting<T>[]>();
  #now = 0;
  #size = 0;

  /** @param capacity most waiting items of all accounts */
  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#size;
  }

  /** Accounts with waiting items. */
  get accounts(): number {
    return this.#accounts.size;
  }

  /**
   * Adds an item behind those of its account.
   * @param cost in any unit, above 0
   * @returns undefined, or the item without capacity: the newest one of the account with the most waiting
   * items. It can be the added one.
   */
  add(account: string, cost: number, item: T): T | undefined {
    const own = this.#accounts.get(account) ?? [];
    const finish = Math.max(this.#now, own.at(-1)?.finish ?? 0) + cost;
    if (this.#size < this.capacity) {
      this.#accounts.set(account, own);
      own.push({ item, finish });
      this.#size += 1;
      return undefined;
    }
    const [longest, most] = this.#longest();
    if (longest === undefined || most.length <= own.length + 1) return item;
    const newest = most.pop();
    this.#accounts.set(account, own);
    own.push({ item, finish });
    return newest?.item;
  }

  /** Removes and returns the next item that fits, in the fair order. Undefined when there is none. */
  take(fits: (item: T) => boolean = () => true): T | undefined {
    let next: { account: string; at: number; finish: number; size: number } | undefined;
    for (const [account, waiting] of this.#accounts) {
      const at = waiting.findIndex(({ item }) => fits(item));
      const found = waiting[at];
      if (!found) continue;
      const { finish } = found;
      const size = waiting.length;
      // Items of equal cost often tie. The account with fewer of them has waited for less.
      const isNext = !next || finish < next.finish || (finish === next.finish && size < next.size);
      if (isNext) next = { account, at, finish, size };
    }
    if (!next) return undefined;
    this.#now = Math.max(this.#now, next.finish);
    return this.#drop(next.account, next.at);
  }

  /** Removes an item that no longer waits. Returns whether it was in the queue. */
  remove(account: string, item: T): boolean {
    const at = this.#accounts.get(account)?.findIndex((waiting) => waiting.item === item) ?? -1;
    if (at === -1) return false;
    this.#drop(account, at);
    return true;
  }

  /** An account without waiting items has no debt: its last finish is not after the current virtual time. */
  #drop(account: string, at: number): T | undefined {
    const waiting = this.#accounts.get(account);
    const [dropped] = waiting?.splice(at, 1) ?? [];
    if (waiting?.length === 0) this.#accounts.delete(account);
    if (dropped) this.#size -= 1;
    return dropped?.item;
  }

  #longest(): [string | undefined, Waiting<T>[]] {
    let longest: [string | undefined, Waiting<T>[]] = [undefined, []];
    for (const entry of this.#accounts) if (entry[1].length > longest[1].length) longest = entry;
    return longest;
  }
}
