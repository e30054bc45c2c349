/** Members with scores, ordered by score and then by the bytes of the member. */
export class SortedSet {
  private readonly scores = new Map<string, number>();
  /** Sorted copy, rebuilt after a change at the next read in order: local sets are small and read more than written. */
  private ordered: [member: string, score: number][] | null = [];

  get size(): number {
    return this.scores.size;
  }

  score(member: string): number | undefined {
    return this.scores.get(member);
  }

  set(member: string, score: number): void {
    if (this.scores.get(member) === score) return;
    this.scores.set(member, score);
    this.ordered = null;
  }

  delete(member: string): boolean {
    if (!this.scores.delete(member)) return false;
    this.ordered = null;
    return true;
  }

  /** All members in order. */
  entries(): readonly (readonly [member: string, score: number])[] {
    this.ordered ??= [...this.scores].sort(
      ([memberA, scoreA], [memberB, scoreB]) => scoreA - scoreB || (memberA < memberB ? -1 : 1),
    );
    return this.ordered;
  }

  /** Rank in the order from 0. Undefined when it is not a member. */
  rank(member: string): number | undefined {
    if (!this.scores.has(member)) return undefined;
    return this.entries().findIndex(([each]) => each === member);
  }
}
