import type { AlertCause, AlertCauseKind } from '@plimsoll/contracts';
import { type ContractFigures, type StoredLeg, valueUsd } from '../positions/holdings';

/** Largest effect on the health factor that rounding can have. */
const NEGLIGIBLE = 1e-9;

interface Pair {
  before: StoredLeg | null;
  after: StoredLeg | null;
}

type Figures = Pick<StoredLeg, 'asset' | 'side' | 'amount' | 'priceUsd' | 'thresholdBps'>;

/**
 * Returns what moved the health factor between two states: the largest effect in the direction of the change,
 * in the order prices, thresholds, amounts. Null when nothing changed, or when one of the states has no
 * comparable debt.
 */
export function causeOf(before: ContractFigures, after: ContractFigures): AlertCause | null {
  const pairs = pairsOf(before, after);
  const start = pairs.flatMap(({ before: leg }) => leg ?? []);
  const priced = pairs.flatMap((pair) => withPrice(pair));
  const ruled = pairs.flatMap((pair) => withThreshold(pair));
  const end = pairs.flatMap(({ after: leg }) => leg ?? []);
  const [from, atPrices, atThresholds, to] = [start, priced, ruled, end].map(healthFactor);
  if (from == null || to == null) return ownerChange(pairs);
  const effects: [AlertCauseKind, number][] = [
    ['price', ratio(from, atPrices)],
    ['parameter', ratio(atPrices, atThresholds)],
    [isOwnerChange(pairs) ? 'position_change' : 'interest', ratio(atThresholds, to)],
  ];
  const direction = to < from ? -1 : 1;
  const [kind, effect] = effects.reduce((worst, each) =>
    each[1] * direction > worst[1] * direction ? each : worst,
  );
  if (effect * direction <= NEGLIGIBLE) return null;
  if (kind === 'price') return priceCause(pairs, direction);
  if (kind === 'parameter') return parameterCause(pairs);
  return kind === 'interest' ? interestCause(pairs) : ownerChange(pairs);
}

function pairsOf(before: ContractFigures, after: ContractFigures): Pair[] {
  const keyOf = ({ address, side }: StoredLeg): string => `${side} ${address}`;
  const pairs = new Map<string, Pair>();
  for (const leg of before.legs) pairs.set(keyOf(leg), { before: leg, after: null });
  for (const leg of after.legs)
    pairs.set(keyOf(leg), { before: pairs.get(keyOf(leg))?.before ?? null, after: leg });
  return [...pairs.values()];
}

function withPrice({ before, after }: Pair): Figures[] {
  return before === null ? [] : [{ ...before, priceUsd: after?.priceUsd ?? before.priceUsd }];
}

function withThreshold({ before, after }: Pair): Figures[] {
  if (before === null) return [];
  const { priceUsd, thresholdBps } = after ?? before;
  return [{ ...before, priceUsd, thresholdBps }];
}

function healthFactor(legs: readonly Figures[]): number | null {
  let weighted = 0;
  let debt = 0;
  for (const leg of legs) {
    if (leg.side === 'debt') debt += valueUsd(leg);
    else weighted += (valueUsd(leg) * leg.thresholdBps) / 10_000;
  }
  return debt > 0 ? weighted / debt : null;
}

const ratio = (from: number | null | undefined, to: number | null | undefined): number =>
  from == null || to == null ? 0 : Math.log(to / from);

const isOwnerChange = (pairs: readonly Pair[]): boolean =>
  pairs.some(({ before, after }) => before?.scaledRaw !== after?.scaledRaw);

const changePercent = (from: number, to: number): number | null => (from > 0 ? (to / from - 1) * 100 : null);

/** Returns the asset whose price moves the health factor furthest in the direction of the change. */
function priceCause(pairs: readonly Pair[], direction: number): AlertCause | null {
  const now = pairs.flatMap(({ before }) => before ?? []);
  const from = healthFactor(now);
  let found: AlertCause | null = null;
  let largest = NEGLIGIBLE;
  for (const { before, after } of pairs) {
    if (before === null || after === null || before.priceUsd === after.priceUsd) continue;
    // The same asset may be on both sides. Its price then moves both.
    const moved = now.map((leg) => (leg.asset === before.asset ? { ...leg, priceUsd: after.priceUsd } : leg));
    const effect = ratio(from, healthFactor(moved)) * direction;
    if (effect <= largest) continue;
    largest = effect;
    const [fromUsd, toUsd] = [before.priceUsd, after.priceUsd];
    const percent = changePercent(fromUsd, toUsd);
    found = { kind: 'price', asset: before.asset, changePercent: percent, fromUsd, toUsd };
  }
  return found;
}

function parameterCause(pairs: readonly Pair[]): AlertCause | null {
  const changed = pairs.flatMap(({ before, after }) =>
    before && after && before.thresholdBps !== after.thresholdBps ? [{ before, after }] : [],
  );
  const [largest] = changed.toSorted((a, b) => valueUsd(b.after) - valueUsd(a.after));
  if (!largest) return null;
  const percent = changePercent(largest.before.thresholdBps, largest.after.thresholdBps);
  return {
    kind: 'parameter',
    asset: largest.after.asset,
    changePercent: percent,
    fromUsd: null,
    toUsd: null,
  };
}

function interestCause(pairs: readonly Pair[]): AlertCause | null {
  return amountCause(
    'interest',
    pairs.filter(({ after }) => after?.side === 'debt'),
  );
}

function ownerChange(pairs: readonly Pair[]): AlertCause | null {
  return amountCause(
    'position_change',
    pairs.filter(({ before, after }) => before?.scaledRaw !== after?.scaledRaw),
  );
}

/** Returns the asset whose amount changed by the largest value. */
function amountCause(kind: 'interest' | 'position_change', pairs: readonly Pair[]): AlertCause | null {
  const changes = pairs.map(({ before, after }) => {
    const { asset, priceUsd } = (after ?? before)!;
    const [from, to] = [before?.amount ?? 0, after?.amount ?? 0];
    return { asset, percent: changePercent(from, to), usd: Math.abs(to - from) * priceUsd };
  });
  const [largest] = changes.toSorted((a, b) => b.usd - a.usd);
  if (!largest) return null;
  return { kind, asset: largest.asset, changePercent: largest.percent, fromUsd: null, toUsd: null };
}
