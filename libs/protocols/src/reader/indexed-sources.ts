import { type BlockRef, ChainReadError, type MarketRow, subjectOf } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { HoldingsIndex, IndexSource } from './family';

/** A source of the index, with the row that the index stores it by. */
interface IndexedSource {
  row: MarketRow;
  source: IndexSource;
}

/** The index sources of one row of the registry, and the sub-ids that the index has of them. */
export class IndexedSources {
  /** The sources, as listed when the layout was this one. */
  private listed: { layout: object | undefined; sources: readonly IndexedSource[] } | undefined;

  /** @param known undefined: the row must not need an index */
  constructor(
    private readonly row: MarketRow,
    private readonly known: HoldingsIndex | undefined,
  ) {}

  /** @throws ChainReadError when there is none */
  index(): HoldingsIndex {
    if (this.known) return this.known;
    const message = `${subjectOf(this.row, 'logs')} are found by an index, and there is none`;
    throw new ChainReadError('index_behind', this.row.chainId, message);
  }

  /**
   * The sub-ids of each wallet, in the order of the sources.
   * @param layout the sources are listed again when it is another one
   * @throws ChainReadError
   */
  async subIdsOf(
    wallets: readonly Address[],
    block: BlockRef,
    layout: object | undefined,
    list: () => Promise<readonly IndexSource[]>,
  ): Promise<(readonly string[])[]> {
    const index = this.index();
    if (!this.listed || this.listed.layout !== layout)
      this.listed = { layout, sources: this.withRows(await list()) };
    const { sources } = this.listed;
    const found = await Promise.all(sources.map((each) => ofSource(index, each, wallets, block)));
    return wallets.map((_, at) => found.flatMap((subIds) => subIds[at]!));
  }

  /** The index stores sources by their row objects, so a source with the same contracts keeps its own. */
  private withRows(sources: readonly IndexSource[]): IndexedSource[] {
    const before = this.listed?.sources ?? [];
    return sources.map((source) => {
      const contracts = source.addresses.join();
      const same = before.find(
        (each) => each.source.name === source.name && each.source.addresses.join() === contracts,
      );
      return { row: same?.row ?? this.rowOf(source), source };
    });
  }

  private rowOf({ name }: IndexSource): MarketRow {
    return name === undefined ? this.row : { ...this.row, market: `${this.row.market}#${name}` };
  }
}

/** The sub-ids of each wallet from one source, in order, with those that no log can exclude. */
async function ofSource(
  index: HoldingsIndex,
  { row, source }: IndexedSource,
  wallets: readonly Address[],
  block: BlockRef,
): Promise<(readonly string[])[]> {
  const { filedUnder = (wallet: Address) => wallet, unread = [] } = source;
  const files = wallets.map(filedUnder);
  const found = await index.subIdsOf(row, source, [...new Set(files)], block);
  return files.map((file) => [...(found.get(file) ?? []), ...unread]);
}
