/** One page of a list. */
export interface Page {
  nextCursor?: string | null;
}

/**
 * A list that is read page by page. `await` returns the first page as the API sends it, `for await` every
 * item of every page, and `pages()` every page.
 */
export class List<P extends Page, T> implements PromiseLike<P>, AsyncIterable<T> {
  private first: Promise<P> | undefined;

  /**
   * @param load requests the page at a cursor; undefined: the first one
   * @param items the items of a page
   */
  constructor(
    private readonly load: (cursor: string | undefined) => Promise<P>,
    private readonly items: (page: P) => readonly T[],
  ) {}

  // A list is a promise of its first page.
  // oxlint-disable-next-line unicorn/no-thenable
  then<A = P, B = never>(
    resolve?: ((page: P) => A | PromiseLike<A>) | null,
    reject?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.first ??= this.load(undefined);
    return this.first.then(resolve, reject);
  }

  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let page: P = await this; ;) {
      yield page;
      if (!page.nextCursor) return;
      page = await this.load(page.nextCursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* this.items(page);
  }

  /** Returns the first items, at most `most`. */
  async take(most: number): Promise<T[]> {
    const taken: T[] = [];
    if (most <= 0) return taken;
    for await (const item of this) {
      taken.push(item);
      if (taken.length >= most) break;
    }
    return taken;
  }
}
