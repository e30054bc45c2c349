import { type PositionV1, isWorse } from '@plimsoll/contracts';
import { type BlockRef, ChainReadError } from '@plimsoll/evm';
import {
  type PositionsRead,
  type ProtocolReader,
  type RawPosition,
  coversSubId,
  isReadable,
} from '@plimsoll/protocols';
import type { Address } from 'viem';
import type { CorrelatedRisk } from '../bands/correlated-risk';
import { evaluations } from '../metrics';
import type { ReportMismatches } from '../verification/verdict-watch';
import { AccountRecheck } from './account-recheck';
import { crossingContent, isCrossing } from './crossing-content';
import { type Change, detectChange } from './detect-change';
import { MarketFigures } from './market-figures';
import { type PositionChange, positionChange } from './position-event';
import type { PublishedPosition } from './published-position';
import { UnaffectedPositions } from './unaffected-positions';

/**
 * Positions by wallet, none if it holds nothing. Some may not be readable. A missing wallet could not be read.
 */
export type PositionsByWallet = ReadonlyMap<Address, readonly RawPosition[]>;

/** The wallets that each block reads in full because they differed from their contract. All others are evaluated. */
const MOST_MISMATCHED = 32;

/** Accounts that were read at a block, by wallet. Undefined: this one could not be read. */
type FreshAccounts = ReadonlyMap<Address, unknown>;

/**
 * Follows the tracked wallets in one market. It keeps their holdings, and reads them again when a log names
 * them. A block evaluates only the wallets that may need an event: those that acted, and those that a change
 * of the market's unit values may have moved out of their unaffected range. A family without ratios is
 * evaluated in full.
 */
export class MarketTracker {
  /** Null until a block was read. */
  figures: MarketFigures | null = null;
  /** The reason why the newest block could not be read here. Null when it could. */
  failure: string | null = null;

  private tracked: readonly Address[] = [];
  private isTracked: ReadonlySet<Address> = new Set();
  /** The accounts at the block of the figures. */
  private readonly accounts = new Map<Address, unknown>();
  /** The wallets that have a position, or may have one. */
  private readonly holders = new Set<Address>();
  /** The wallets that the next block reads, whatever its logs name. */
  private readonly unread = new Set<Address>();
  /** The same, found while a block was in progress. */
  private readonly doubted = new Set<Address>();
  /**
   * The wallets that the next block evaluates. A wallet is removed only when it is certain that it needs no
   * event.
   */
  private readonly due = new Set<Address>();
  /** The wallets whose figures differed from the contract's last. Each block reads them in full, so that it has the contract's. */
  private readonly mismatched = new Set<Address>();
  /** Published states by wallet and sub-id. */
  private readonly published = new Map<Address, Map<string, PublishedPosition>>();
  private readonly unaffected: UnaffectedPositions | null;
  private readonly recheck = new AccountRecheck();
  /** The number of times that all accounts became outdated, and the number for which the figures are. */
  private upheavals = 1;
  /** Lowest block that reorgs removed since the last block was read. Null: none. */
  private orphanedFrom: number | null = null;
  private upheavalsRead = 0;

  constructor(
    readonly reader: ProtocolReader<unknown, unknown>,
    private readonly correlatedRisk: Pick<CorrelatedRisk, 'probability7d' | 'concerns'>,
    private readonly report: ReportMismatches,
  ) {
    this.unaffected = reader.ratios ? new UnaffectedPositions(reader.ratios) : null;
  }

  /**
   * The known accounts may come from removed blocks, so the next block reads all of them.
   * @param orphanedFrom lowest block that a reorg removed; null: not known
   */
  readAll(orphanedFrom: number | null = null): void {
    this.upheavals += 1;
    if (orphanedFrom !== null) this.orphanedFrom = Math.min(orphanedFrom, this.orphanedFrom ?? Infinity);
  }

  /** The state of a position as of its last event. */
  publishedOf(wallet: Address, subId: string): PublishedPosition | null {
    return this.published.get(wallet)?.get(subId) ?? null;
  }

  setPublished(wallet: Address, state: PublishedPosition): void {
    const states = this.published.get(wallet) ?? new Map<string, PublishedPosition>();
    this.published.set(wallet, states.set(state.event.subId, state));
    this.evaluate(wallet);
  }

  /** The published positions of the tracked wallets, without closed ones. */
  *openPositions(): Generator<PositionV1> {
    for (const states of this.published.values())
      for (const { event } of states.values()) if (!event.closed) yield event;
  }

  /** The tracked wallets that hold something, with their accounts at the block of the figures. */
  *heldAccounts(): Generator<[wallet: Address, account: unknown]> {
    for (const wallet of this.holders)
      if (this.accounts.has(wallet)) yield [wallet, this.accounts.get(wallet)];
  }

  /**
   * Advances the tracked wallets to a block and yields the changes that need an event, each read exactly there.
   * Wallets whose band got worse come first, so that an alert does not wait for the other figures. For a
   * block that was processed before it reads only new wallets.
   * @param tracked another list object if the wallets changed
   * @throws ChainReadError when the block cannot be read; the figures of the block before are kept
   */
  async *advance(block: BlockRef, tracked: readonly Address[]): AsyncGenerator<PositionChange[]> {
    this.follow(tracked);
    const { upheavals } = this;
    this.markOrphaned();
    const { market: before, outdated, evaluatesAll } = await this.readBlock(block);
    const fresh = await this.readAccounts(outdated, block);
    // New accounts may need parts of the market that were not read.
    const market = fresh.size > 0 ? await this.reader.readMarket(block) : before;
    const accountOf = (wallet: Address): unknown =>
      fresh.has(wallet) ? fresh.get(wallet) : this.accounts.get(wallet);
    const figures = new MarketFigures(block, market, tracked, (wallet) => {
      const account = accountOf(wallet);
      return account === undefined ? null : this.reader.evaluate(market, account);
    });
    this.findDue(market, fresh, evaluatesAll);
    const positions = this.evaluateDue(figures);
    const candidates = this.candidatesByUrgency(positions);
    for (const some of candidates) {
      const exact = await this.readExactly(some, block);
      for (const [wallet, held] of exact) figures.set(wallet, held);
      const changes = [...exact].flatMap(([wallet, held]) =>
        this.changesOf(wallet, held, some.get(wallet) ?? [], block),
      );
      if (changes.length > 0) yield changes;
    }
    for (const [wallet, held] of positions)
      if (!candidates.some((some) => some.has(wallet))) this.settle(wallet, held, market, accountOf(wallet));
    this.storeFigures(fresh, figures);
    this.figures = figures;
    this.upheavalsRead = upheavals;
    this.failure = null;
  }

  /** The next event of each position reports what a reorg removed since the one before. */
  private markOrphaned(): void {
    const { orphanedFrom } = this;
    if (orphanedFrom === null) return;
    for (const states of this.published.values())
      for (const state of states.values())
        state.orphanedFrom = Math.min(orphanedFrom, state.orphanedFrom ?? Infinity);
    this.orphanedFrom = null;
  }

  private evaluate(wallet: Address): void {
    this.unaffected?.forget(wallet);
    this.due.add(wallet);
  }

  /** Finds the wallets that this block evaluates, beside those of the blocks before. */
  private findDue(market: unknown, fresh: FreshAccounts, evaluatesAll: boolean): void {
    const moved = this.unaffected?.move(market) ?? [];
    for (const wallet of evaluatesAll || moved === 'all' ? this.tracked : moved) this.due.add(wallet);
    for (const wallet of fresh.keys()) this.evaluate(wallet);
  }

  private evaluateDue(figures: MarketFigures): PositionsByWallet {
    const positions = new Map<Address, readonly RawPosition[]>();
    for (const wallet of this.due) {
      const held = figures.of(wallet);
      if (held) positions.set(wallet, held);
    }
    evaluations.inc({ chain: this.reader.row.chainId }, positions.size);
    return positions;
  }

  /** The wallet needs no event now. */
  private settle(wallet: Address, held: readonly RawPosition[], market: unknown, account: unknown): void {
    if (!held.every(isReadable)) return;
    if (!this.unaffected) return void this.due.delete(wallet);
    if (held.some((position) => this.correlatedRisk.concerns(position))) return;
    const states = held.map((position) => {
      return { position, published: this.publishedOf(wallet, position.subId) };
    });
    if (this.unaffected.settle(wallet, market, account, states)) this.due.delete(wallet);
  }

  /**
   * The wallets that may need an event: first those with a position in a worse band or level, then all others. Those
   * that differed from the contract are among them, because what is evaluated says nothing about them.
   */
  private candidatesByUrgency(positions: PositionsByWallet): PositionsByWallet[] {
    const worse = new Map<Address, readonly RawPosition[]>();
    const others = new Map<Address, readonly RawPosition[]>();
    for (const [wallet, held] of positions) {
      const changes = this.statesOf(wallet, held).flatMap(
        ([, before, now]) => this.changeBetween(before, now) ?? [],
      );
      if (changes.length === 0 && !this.mismatched.has(wallet)) continue;
      const isUrgent = changes.some(
        ({ band, previousBand, level, previousLevel }) =>
          isWorse(band, previousBand) || isWorse(level, previousLevel),
      );
      (isUrgent ? worse : others).set(wallet, held);
    }
    return [worse, others].filter(({ size }) => size > 0);
  }

  /**
   * Each position of a wallet, held now or published before, with its old and new state. One that is not
   * readable now keeps its published state, because it may still exist.
   */
  private statesOf(
    wallet: Address,
    held: readonly RawPosition[],
  ): [subId: string, before: PublishedPosition | null, now: RawPosition | null][] {
    const bySubId = new Map(held.map((position) => [position.subId, position]));
    const subIds = new Set([...bySubId.keys(), ...(this.published.get(wallet)?.keys() ?? [])]);
    for (const position of held.filter((each) => !isReadable(each)))
      for (const subId of subIds) if (coversSubId(position.subId, subId)) subIds.delete(subId);
    return [...subIds].map((subId) => [subId, this.publishedOf(wallet, subId), bySubId.get(subId) ?? null]);
  }

  /**
   * The market at a block, and the accounts that must be read there.
   * @returns evaluatesAll: wallets that are not read again may have other figures too, and no log names them
   */
  private async readBlock(
    block: BlockRef,
  ): Promise<{ market: unknown; outdated: readonly Address[]; evaluatesAll: boolean }> {
    const before = this.figures;
    const evaluatesAll = this.unaffected === null;
    if (this.upheavalsRead < this.upheavals || !before)
      return { market: await this.reader.readMarket(block), outdated: this.tracked, evaluatesAll };
    if (before.block.hash === block.hash && this.failure === null)
      return { market: before.market, outdated: [...this.unread], evaluatesAll };
    const reading = this.reader.readMarket(block);
    const [market, touched] = await Promise.all([
      reading,
      before.block.number < block.number
        ? this.reader.readTouchedWallets(before.block.number + 1n, block.number, reading)
        : [],
    ]);
    if (touched === 'all') return { market, outdated: this.tracked, evaluatesAll };
    const [named, held] = 'opened' in touched ? [touched.opened, this.holders] : [touched, []];
    const rechecked = this.recheck.next(this.tracked, block.timestamp - before.block.timestamp);
    const tracked = named.filter((wallet) => this.isTracked.has(wallet));
    const outdated = [...new Set([...this.unread, ...tracked, ...held, ...rechecked])];
    return { market, outdated, evaluatesAll: evaluatesAll && !('opened' in touched) };
  }

  private async readAccounts(wallets: readonly Address[], block: BlockRef): Promise<FreshAccounts> {
    const fresh = new Map<Address, unknown>(wallets.map((wallet) => [wallet, undefined]));
    if (wallets.length === 0) return fresh;
    const { accounts } = await this.reader.readAccounts(wallets, block);
    for (const [wallet, account] of accounts) fresh.set(wallet, account);
    return fresh;
  }

  /** The accounts of the block that the figures are from now. */
  private storeFigures(fresh: FreshAccounts, figures: MarketFigures): void {
    for (const [wallet, account] of fresh) {
      if (figures.of(wallet)?.length === 0) this.holders.delete(wallet);
      else this.holders.add(wallet);
      if (account === undefined) {
        this.accounts.delete(wallet);
        this.unread.add(wallet);
      } else {
        this.accounts.set(wallet, account);
        this.unread.delete(wallet);
      }
    }
    for (const wallet of this.doubted) this.unread.add(wallet);
    this.doubted.clear();
  }

  /**
   * The readable candidates, with the contract's own figures. Evaluated positions are compared with the
   * contract's result. A wallet for which they differ, or that seems to hold nothing, is read in full.
   * @throws ChainReadError when a read failed as a whole: without it, a change would count as none
   */
  private async readExactly(candidates: PositionsByWallet, block: BlockRef): Promise<PositionsByWallet> {
    const held = [...candidates.values()].flat();
    const inDoubt = new Set([...candidates.keys()].filter((wallet) => candidates.get(wallet)?.length === 0));
    let exact = new Map<Address, readonly RawPosition[]>();
    if (held.length > 0) {
      const confirmed = await this.reader.confirm(held, block);
      checkRead(confirmed);
      for (const { wallet } of confirmed.mismatches) inDoubt.add(wallet);
      const asked = [...candidates.keys()].filter((wallet) => !inDoubt.has(wallet));
      for (const wallet of asked) this.mismatched.delete(wallet);
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
    checkRead(read);
    this.report(this.reader.row, block, read.mismatches);
    // The accounts were out of date, so the next block reads them again.
    for (const wallet of wallets) this.doubted.add(wallet);
    for (const wallet of wallets) this.mismatched.delete(wallet);
    for (const { wallet } of read.mismatches)
      if (this.mismatched.size < MOST_MISMATCHED) this.mismatched.add(wallet);
    return positionsByWallet(read, wallets);
  }

  /** @param evaluated the positions by our arithmetic, before the contract's figures replaced it */
  private changesOf(
    wallet: Address,
    held: readonly RawPosition[],
    evaluated: readonly RawPosition[],
    block: BlockRef,
  ): PositionChange[] {
    const { row } = this.reader;
    const { protocol, chainId, market } = row;
    return this.statesOf(wallet, held).flatMap(([subId, before, position]) => {
      const change = this.changeBetween(before, position);
      const key = { protocol, chainId, market, subId, wallet };
      if (!change) return [];
      const made = positionChange(key, before, position, change, block);
      if (!isCrossing(change)) return [made];
      const own = evaluated.find((each) => each.subId === subId) ?? null;
      const isExact = isSame(own, position);
      return [{ ...made, crossing: crossingContent(row, before?.event ?? null, made.after.event, isExact) }];
    });
  }

  private changeBetween(before: PublishedPosition | null, position: RawPosition | null): Change | null {
    return detectChange(before, position, position && this.correlatedRisk.probability7d(position));
  }

  private follow(tracked: readonly Address[]): void {
    if (tracked === this.tracked) return;
    this.tracked = tracked;
    this.isTracked = new Set(tracked);
    for (const wallet of tracked) if (!this.accounts.has(wallet)) this.unread.add(wallet);
    for (const known of [this.accounts, this.published, this.unread, this.due, this.holders, this.mismatched])
      for (const wallet of known.keys())
        if (!this.isTracked.has(wallet)) {
          known.delete(wallet);
          this.unaffected?.forget(wallet);
        }
  }
}

/** Whether our arithmetic gave the contract's figures. */
function isSame(own: RawPosition | null, position: RawPosition | null): boolean {
  if (own === null || position === null) return own === position;
  return (
    own.verification !== 'approximate' &&
    own.totalCollateralRaw === position.totalCollateralRaw &&
    own.totalDebtRaw === position.totalDebtRaw &&
    own.healthFactorRaw === position.healthFactorRaw
  );
}

/** @throws ChainReadError when the read failed for all wallets */
function checkRead({ unreadable }: PositionsRead): void {
  const failed = unreadable.find(({ wallets }) => wallets.length === 0);
  if (!failed) return;
  const { reason, chainId, protocol, market } = failed;
  throw new ChainReadError(reason, chainId, `positions of ${protocol} ${market} cannot be read`);
}

/** The positions of each wallet that was read, none if it holds nothing. */
export function positionsByWallet(
  { positions, unreadable }: PositionsRead,
  asked: readonly Address[],
): Map<Address, readonly RawPosition[]> {
  const failed = new Set(unreadable.flatMap(({ wallets }) => (wallets.length === 0 ? asked : wallets)));
  const found = new Map<Address, RawPosition[]>(
    asked.filter((wallet) => !failed.has(wallet)).map((wallet) => [wallet, []]),
  );
  for (const position of positions) found.get(position.wallet)?.push(position);
  return found;
}
