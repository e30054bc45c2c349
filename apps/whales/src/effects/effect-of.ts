import type { WhaleAction, WhaleEffect, WhaleEffectReason, WhaleRateEffect } from '@plimsoll/contracts';
import type { RawPosition, ReserveState, Unreadable } from '@plimsoll/protocols';
import { type ActivityRow, toDouble } from '../activity-row';

/** The state of one market at one block. */
export interface MarketSnapshot {
  /** Positions of the wallets that moved. */
  positions: readonly RawPosition[];
  unreadable: readonly Unreadable[];
  /** By reserveKey. Null when the family provides none, or its contracts do not respond. */
  reserves: ReadonlyMap<string, ReserveState | null>;
}

type Move = Pick<ActivityRow, 'wallet' | 'subId' | 'token' | 'action' | 'amountRaw'>;

const WAD_DECIMALS = 18;
const PERCENT_DECIMALS = 18;
/** Actions that are compared with the borrowed total instead of the supplied one. */
const OF_DEBT: ReadonlySet<WhaleAction> = new Set(['borrow', 'repay', 'liquidation']);

export function reserveKey({ token, subId }: Pick<ActivityRow, 'token' | 'subId'>): string {
  return `${token} ${subId}`;
}

/** Returns the effect of a move, from the states before and in its block. Pure. */
export function effectOf(move: Move, before: MarketSnapshot, after: MarketSnapshot): WhaleEffect {
  const key = reserveKey(move);
  const reserves = [before.reserves.get(key) ?? null, after.reserves.get(key) ?? null] as const;
  return { ...shareOf(move, reserves[0]), ...healthFactors(move, before, after), ...ratesOf(...reserves) };
}

function shareOf(
  { action, amountRaw }: Move,
  reserve: ReserveState | null,
): Pick<WhaleEffect, 'shareOfPoolPercent' | 'shareOfPoolReason'> {
  const none = (reason: WhaleEffectReason) => ({ shareOfPoolPercent: null, shareOfPoolReason: reason });
  const total = (OF_DEBT.has(action) ? reserve?.borrowedRaw : reserve?.suppliedRaw) ?? null;
  if (total === null) return none('not_supported');
  if (total === 0n) return none('empty_pool');
  const percent = (BigInt(amountRaw) * 100n * 10n ** BigInt(PERCENT_DECIMALS)) / total;
  return { shareOfPoolPercent: toDouble(percent, PERCENT_DECIMALS), shareOfPoolReason: null };
}

function healthFactors(
  move: Move,
  before: MarketSnapshot,
  after: MarketSnapshot,
): Pick<WhaleEffect, 'healthFactorBefore' | 'healthFactorAfter' | 'healthFactorReason'> {
  const none = (reason: WhaleEffectReason) => ({
    healthFactorBefore: null,
    healthFactorAfter: null,
    healthFactorReason: reason,
  });
  if (isUnreadable(move, before) || isUnreadable(move, after)) return none('unreadable');
  const [held, holds] = [ownPositions(move, before), ownPositions(move, after)];
  const [first, second] = [held, holds].map((own) => own.find(({ subId }) => subId === move.subId));
  if (first?.unreadable !== undefined || second?.unreadable !== undefined) return none('unreadable');
  // The wallet has positions, but none of them is the one in the log.
  if (!first && !second && held.length + holds.length > 0) return none('unreadable');
  const [healthFactorBefore, healthFactorAfter] = [healthFactor(first), healthFactor(second)];
  const isWithoutDebt = healthFactorBefore === null || healthFactorAfter === null;
  return { healthFactorBefore, healthFactorAfter, healthFactorReason: isWithoutDebt ? 'no_debt' : null };
}

function isUnreadable({ wallet }: Move, { unreadable }: MarketSnapshot): boolean {
  return unreadable.some(({ wallets }) => wallets.length === 0 || wallets.some((each) => each === wallet));
}

function ownPositions({ wallet }: Move, { positions }: MarketSnapshot): RawPosition[] {
  return positions.filter((position) => position.wallet === wallet);
}

function healthFactor(position: RawPosition | undefined): number | null {
  const raw = position?.healthFactorRaw ?? null;
  return raw === null ? null : toDouble(raw, WAD_DECIMALS);
}

function ratesOf(
  before: ReserveState | null,
  after: ReserveState | null,
): Pick<WhaleEffect, 'rateEffect' | 'rateEffectReason'> {
  const effect: WhaleRateEffect = {
    supplyRateBefore: before?.supplyRate ?? null,
    supplyRateAfter: after?.supplyRate ?? null,
    borrowRateBefore: before?.borrowRate ?? null,
    borrowRateAfter: after?.borrowRate ?? null,
  };
  const isGiven = Object.values(effect).some((rate) => rate !== null);
  return isGiven
    ? { rateEffect: effect, rateEffectReason: null }
    : { rateEffect: null, rateEffectReason: 'not_supported' };
}
