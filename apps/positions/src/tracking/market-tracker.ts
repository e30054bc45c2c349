import type { BlockRef, PositionsRead, ProtocolReader, RawPosition } from '@plimsoll/chain';
import { isWorse } from '@plimsoll/contracts';
import type { Address } from 'viem';
import { figureMismatches } from '../metrics';
import { detectChange } from './detect-change';
import { type PositionChange, positionChange } from './position-event';
import type { PublishedPosition } from './published-position';

/** Figures of the tracked wallets in one market, all at one block; null: the wallet holds nothing there. */
export interface MarketFigures {
  block: BlockRef;
  positions: ReadonlyMap<Address, RawPosition | null>;
}

/** Follows the tracked wallets in one market: what they hold is kept, and evaluated anew at every block. */
export class MarketTracker {
  /** Null until a block was read. */
  figures: MarketFigures | null = null;
  /** Why the newest block could not be read here; null when it could. */
  failure: string | null = null;

  private market: unknown;
  private readonly accounts = new Map<Address, unknown>();
  private readonly published = new Map<Address, PublishedPosition>();
  private mustReadAll = true;

  constructor(readonly reader: ProtocolReader<unknown, unknown>) {}

  /** What is known of the wallets may come from blocks that are gone: the next block reads all of them. */
  readAll(): void {
    this.mustReadAll = true;
  }

  /** The state of a wallet's position as of its last event. */
  publishedOf(wallet: Address): PublishedPosition | null {
    return this.published.get(wallet) ?? null;
  }

  setPublished(wallet: Address, state: PublishedPosition): void {
    this.published.set(wallet, state);
  }

  /**
   * Takes the tracked wallets to a block and gives the changes worth an event, each read exactly there: first those whose
   * band got worse, so that an alert does not wait for the figures of everybody else. A block that was taken before is
   * read again only for wallets that are new.
   * @throws ChainReadError when the block cannot be read; the figures of the block before stay
   */
  async *advance(block: BlockRef, tracked: readonly Address[]): AsyncGenerator<PositionChange[]> {
    this.forgetOthers(tracked);
    const { market, touched } = await this.readBlock(block);
    for (const wallet of touched) this.accounts.delete(wallet);
    await this.readMissing(block, tracked);
    const positions = new Map<Address, RawPosition | null>();
    for (const wallet of tracked) {
      const account = this.accounts.get(wallet);
      if (account !== undefined) positions.set(wallet, this.reader.evaluate(market, account));
    }
    for (const candidates of this.candidatesByUrgency(positions)) {
      const exact = await this.readExactly(candidates, block);
      for (const [wallet, position] of exact) positions.set(wallet, position);
      const changes = [...exact].flatMap(([wallet, position]) => this.changeOf(wallet, position, block));
      if (changes.length > 0) yield changes;
    }
    this.market = market;
    this.figures = { block, positions };
    this.failure = null;
  }

  /** What seems worth an event: positions that got into a worse band, then all others. */
  private candidatesByUrgency(
    positions: ReadonlyMap<Address, RawPosition | null>,
  ): Map<Address, RawPosition | null>[] {
    const worse = new Map<Address, RawPosition | null>();
    const others = new Map<Address, RawPosition | null>();
    for (const [wallet, position] of positions) {
      const change = detectChange(this.publishedOf(wallet), position);
      if (change) (isWorse(change.band, change.previousBand) ? worse : others).set(wallet, position);
    }
    return [worse, others].filter(({ size }) => size > 0);
  }

  private async readBlock(block: BlockRef): Promise<{ market: unknown; touched: readonly Address[] }> {
    const before = this.figures?.block;
    const { mustReadAll } = this;
    if (mustReadAll) {
      this.accounts.clear();
      this.mustReadAll = false;
    }
    if (before?.hash === block.hash && this.failure === null) return { market: this.market, touched: [] };
    const hasGap = !mustReadAll && before !== undefined && before.number < block.number;
    const [market, touched] = await Promise.all([
      this.reader.readMarket(block),
      hasGap ? this.reader.readTouchedWallets(before.number + 1n, block.number) : [],
    ]);
    return { market, touched };
  }

  private async readMissing(block: BlockRef, tracked: readonly Address[]): Promise<void> {
    const missing = tracked.filter((wallet) => !this.accounts.has(wallet));
    if (missing.length === 0) return;
    const { accounts } = await this.reader.readAccounts(missing, block);
    for (const [wallet, account] of accounts) this.accounts.set(wallet, account);
  }

  /**
   * The candidates that could be read, with the contract's own figures. What was evaluated is compared with the
   * contract's answer; a wallet for which they differ, or that seems to hold nothing, is read in full.
   */
  private async readExactly(
    candidates: ReadonlyMap<Address, RawPosition | null>,
    block: BlockRef,
  ): Promise<Map<Address, RawPosition | null>> {
    const held = [...candidates.values()].filter((position) => position !== null);
    const exact = new Map<Address, RawPosition | null>();
    const inDoubt = new Set([...candidates.keys()].filter((wallet) => candidates.get(wallet) === null));
    if (held.length > 0) {
      const confirmed = await this.reader.confirm(held, block);
      for (const { wallet } of confirmed.mismatches) inDoubt.add(wallet);
      for (const position of confirmed.positions) exact.set(position.wallet, position);
    }
    if (inDoubt.size > 0) {
      for (const wallet of inDoubt) exact.delete(wallet);
      for (const [wallet, position] of await this.readInFull([...inDoubt], block))
        exact.set(wallet, position);
    }
    return exact;
  }

  private async readInFull(
    wallets: readonly Address[],
    block: BlockRef,
  ): Promise<Map<Address, RawPosition | null>> {
    const read = await this.reader.readPositions(wallets, block);
    for (const { figure } of read.mismatches)
      figureMismatches.inc({ chain: this.reader.row.chainId, figure });
    // What they were evaluated from was out of date: the next block reads their accounts again.
    for (const wallet of wallets) this.accounts.delete(wallet);
    return positionsByWallet(read, wallets);
  }

  private changeOf(wallet: Address, position: RawPosition | null, block: BlockRef): PositionChange[] {
    const before = this.publishedOf(wallet);
    const change = detectChange(before, position);
    if (!change) return [];
    const { protocol, chainId, market } = this.reader.row;
    const subId = position?.subId ?? before?.event.subId ?? '';
    return [positionChange({ protocol, chainId, market, subId, wallet }, before, position, change, block)];
  }

  private forgetOthers(tracked: readonly Address[]): void {
    const kept = new Set(tracked);
    for (const wallet of this.accounts.keys()) if (!kept.has(wallet)) this.accounts.delete(wallet);
    for (const wallet of this.published.keys()) if (!kept.has(wallet)) this.published.delete(wallet);
  }
}

/** Of each wallet that could be read its position, null where it holds nothing. */
export function positionsByWallet(
  { positions, unreadable }: PositionsRead,
  asked: readonly Address[],
): Map<Address, RawPosition | null> {
  const failed = new Set(unreadable.flatMap(({ wallets }) => (wallets.length === 0 ? asked : wallets)));
  const found = new Map(positions.map((position) => [position.wallet, position]));
  return new Map(
    asked.filter((wallet) => !failed.has(wallet)).map((wallet) => [wallet, found.get(wallet) ?? null]),
  );
}
