import type { BlockRef, PositionsRead, ProtocolReader, RawPosition, TouchedWallets } from '@plimsoll/chain';
import { isWorse } from '@plimsoll/contracts';
import type { Address } from 'viem';
import type { CorrelatedRisk } from '../bands/correlated-risk';
import { figureMismatches } from '../metrics';
import { type Change, detectChange } from './detect-change';
import { type PositionChange, positionChange } from './position-event';
import type { PublishedPosition } from './published-position';

/** Positions by wallet: none where it holds nothing. A wallet that is not in it could not be read. */
export type PositionsByWallet = ReadonlyMap<Address, readonly RawPosition[]>;

/** Figures of the tracked wallets in one market, all at one block. */
export interface MarketFigures {
  block: BlockRef;
  positions: PositionsByWallet;
}

/** Follows the tracked wallets in one market: what they hold is kept, and evaluated anew at every block. */
export class MarketTracker {
  /** Null until a block was read. */
  figures: MarketFigures | null = null;
  /** Why the newest block could not be read here; null when it could. */
  failure: string | null = null;

  private market: unknown;
  private readonly accounts = new Map<Address, unknown>();
  /** By wallet and sub-id. */
  private readonly published = new Map<Address, Map<string, PublishedPosition>>();
  private mustReadAll = true;

  constructor(
    readonly reader: ProtocolReader<unknown, unknown>,
    private readonly correlatedRisk: Pick<CorrelatedRisk, 'probability7d'>,
  ) {}

  /** What is known of the wallets may come from blocks that are gone: the next block reads all of them. */
  readAll(): void {
    this.mustReadAll = true;
  }

  /** The state of a position as of its last event. */
  publishedOf(wallet: Address, subId: string): PublishedPosition | null {
    return this.published.get(wallet)?.get(subId) ?? null;
  }

  setPublished(wallet: Address, state: PublishedPosition): void {
    const states = this.published.get(wallet) ?? new Map<string, PublishedPosition>();
    this.published.set(wallet, states.set(state.event.subId, state));
  }

  /**
   * Takes the tracked wallets to a block and gives the changes worth an event, each read exactly there: first those whose
   * band got worse, so that an alert does not wait for the figures of everybody else. A block that was taken before is
   * read again only for wallets that are new.
   * @throws ChainReadError when the block cannot be read; the figures of the block before stay
   */
  async *advance(block: BlockRef, tracked: readonly Address[]): AsyncGenerator<PositionChange[]> {
    this.forgetOthers(tracked);
    const { market: before, touched } = await this.readBlock(block);
    if (touched === 'all') this.accounts.clear();
    else for (const wallet of touched) this.accounts.delete(wallet);
    const hasNew = await this.readMissing(block, tracked);
    // What new accounts hold may need more of the market than was read of it.
    const market = hasNew ? await this.reader.readMarket(block) : before;
    const positions = new Map<Address, readonly RawPosition[]>();
    for (const wallet of tracked) {
      const account = this.accounts.get(wallet);
      const held = account === undefined ? null : this.reader.evaluate(market, account);
      if (held?.every(isPriced)) positions.set(wallet, held);
    }
    for (const candidates of this.candidatesByUrgency(positions)) {
      const exact = await this.readExactly(candidates, block);
      for (const [wallet, held] of exact) positions.set(wallet, held);
      const changes = [...exact].flatMap(([wallet, held]) => this.changesOf(wallet, held, block));
      if (changes.length > 0) yield changes;
    }
    this.market = market;
    this.figures = { block, positions };
    this.failure = null;
  }

  /** What seems worth an event: wallets with a position that got into a worse band, then all others. */
  private candidatesByUrgency(positions: PositionsByWallet): PositionsByWallet[] {
    const worse = new Map<Address, readonly RawPosition[]>();
    const others = new Map<Address, readonly RawPosition[]>();
    for (const [wallet, held] of positions) {
      const changes = this.statesOf(wallet, held).flatMap(
        ([, before, now]) => this.changeBetween(before, now) ?? [],
      );
      if (changes.length === 0) continue;
      const isUrgent = changes.some(({ band, previousBand }) => isWorse(band, previousBand));
      (isUrgent ? worse : others).set(wallet, held);
    }
    return [worse, others].filter(({ size }) => size > 0);
  }

  /** Each position of a wallet, held now or once published, as it was and as it is. */
  private statesOf(
    wallet: Address,
    held: readonly RawPosition[],
  ): [subId: string, before: PublishedPosition | null, now: RawPosition | null][] {
    const bySubId = new Map(held.map((position) => [position.subId, position]));
    const subIds = new Set([...bySubId.keys(), ...(this.published.get(wallet)?.keys() ?? [])]);
    return [...subIds].map((subId) => [subId, this.publishedOf(wallet, subId), bySubId.get(subId) ?? null]);
  }

  private async readBlock(block: BlockRef): Promise<{ market: unknown; touched: TouchedWallets }> {
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

  private async readMissing(block: BlockRef, tracked: readonly Address[]): Promise<boolean> {
    const missing = tracked.filter((wallet) => !this.accounts.has(wallet));
    if (missing.length === 0) return false;
    const { accounts } = await this.reader.readAccounts(missing, block);
    for (const [wallet, account] of accounts) this.accounts.set(wallet, account);
    return true;
  }

  /**
   * The candidates that could be read, with the contract's own figures. What was evaluated is compared with the
   * contract's answer; a wallet for which they differ, or that seems to hold nothing, is read in full.
   */
  private async readExactly(candidates: PositionsByWallet, block: BlockRef): Promise<PositionsByWallet> {
    const held = [...candidates.values()].flat();
    const inDoubt = new Set([...candidates.keys()].filter((wallet) => candidates.get(wallet)?.length === 0));
    let exact = new Map<Address, readonly RawPosition[]>();
    if (held.length > 0) {
      const confirmed = await this.reader.confirm(held, block);
      for (const { wallet } of confirmed.mismatches) inDoubt.add(wallet);
      const asked = [...candidates.keys()].filter((wallet) => !inDoubt.has(wallet));
      exact = positionsByWallet(confirmed, asked);
    }
    if (inDoubt.size > 0) {
      for (const [wallet, positions] of await this.readInFull([...inDoubt], block))
        exact.set(wallet, positions);
    }
    return exact;
  }

  private async readInFull(wallets: readonly Address[], block: BlockRef): Promise<PositionsByWallet> {
    const read = await this.reader.readPositions(wallets, block);
    for (const { figure } of read.mismatches)
      figureMismatches.inc({ chain: this.reader.row.chainId, figure });
    // What they were evaluated from was out of date: the next block reads their accounts again.
    for (const wallet of wallets) this.accounts.delete(wallet);
    return positionsByWallet(read, wallets);
  }

  private changesOf(wallet: Address, held: readonly RawPosition[], block: BlockRef): PositionChange[] {
    const { protocol, chainId, market } = this.reader.row;
    return this.statesOf(wallet, held).flatMap(([subId, before, position]) => {
      const change = this.changeBetween(before, position);
      const key = { protocol, chainId, market, subId, wallet };
      return change ? [positionChange(key, before, position, change, block)] : [];
    });
  }

  private changeBetween(before: PublishedPosition | null, position: RawPosition | null): Change | null {
    return detectChange(before, position, position && this.correlatedRisk.probability7d(position));
  }

  private forgetOthers(tracked: readonly Address[]): void {
    const kept = new Set(tracked);
    for (const wallet of this.accounts.keys()) if (!kept.has(wallet)) this.accounts.delete(wallet);
    for (const wallet of this.published.keys()) if (!kept.has(wallet)) this.published.delete(wallet);
  }
}

/** Of each wallet that could be read what it holds, none where that is nothing. */
export function positionsByWallet(
  { positions, unreadable }: PositionsRead,
  asked: readonly Address[],
): Map<Address, readonly RawPosition[]> {
  const failed = new Set(unreadable.flatMap(({ wallets }) => (wallets.length === 0 ? asked : wallets)));
  const found = new Map<Address, RawPosition[]>(
    asked.filter((wallet) => !failed.has(wallet)).map((wallet) => [wallet, []]),
  );
  for (const position of positions) {
    if (isPriced(position)) found.get(position.wallet)?.push(position);
    else found.delete(position.wallet);
  }
  return found;
}

/** A position without a dollar price cannot be shown: its wallet counts as one that could not be read. */
function isPriced({ usdPerBaseRaw }: RawPosition): boolean {
  return usdPerBaseRaw !== null;
}
