import {
  type Band,
  type PositionV1,
  bandOfFigures,
  decidingProbability,
  levelOfEvent,
} from '@plimsoll/contracts';
import type { RawPosition } from '@plimsoll/protocols';
import { bandOf } from '../bands/band';
import { type PublishedPosition, wadOf } from './published-position';

/** The fields of a leg that show acts and parameters. Events and reads differ in the other fields. */
interface ComparedLeg {
  address: string;
  side: string;
  scaledRaw: string | bigint;
  liquidationThresholdBps: number | bigint;
  usedAsCollateral: boolean;
  oracle: string;
}

/** A change that needs an event. See docs/events.md. */
export interface Change {
  reason: PositionV1['reason'];
  material: boolean;
  band: Band;
  previousBand: Band | null;
  /** The level of the figures themselves, without hysteresis. */
  level: Band;
  previousLevel: Band | null;
  /** The probability that decides the level. Null if the health factor decides. */
  probability7d: number | null;
}

/** The change of a health factor that needs an event. */
export const EVENT_PER_TEN_THOUSAND = 1n;
const MATERIAL_PER_TEN_THOUSAND = 100n;
/** Above this growth, a debt without a principal counts as borrowed. */
const MOST_YEARLY_GROWTH = 2n;
const YEAR_SECONDS = 31_536_000n;
/** The rounding of a balance, in both directions. */
const ROUNDING = 2n;

/**
 * The change of a position since its last event (`before`; null: never seen). `now` is null when the wallet
 * holds nothing. Null: no change that needs an event. Interest changes every amount in every block, and that
 * alone needs none.
 * @param probability7d as `bandOf` takes it
 */
export function detectChange(
  before: PublishedPosition | null,
  now: RawPosition | null,
  probability7d: number | null = null,
): Change | null {
  const wasOpen = before !== null && !before.event.closed;
  if (now === null) return wasOpen ? closing(before) : null;
  const previousBand = before?.event.band ?? null;
  const band = bandOf(now.healthFactorRaw, previousBand, probability7d);
  const level = bandOfFigures(now.healthFactorRaw, probability7d);
  const previousLevel = before && levelOfEvent(before.event);
  const change = (reason: Change['reason'], material: boolean): Change => ({
    reason,
    material,
    band,
    previousBand,
    level,
    previousLevel,
    probability7d: decidingProbability(now.healthFactorRaw, probability7d),
  });
  if (before === null) return change('discovered', true);

  const isMaterialMove = movedBy(
    MATERIAL_PER_TEN_THOUSAND,
    before.materialHealthFactorRaw,
    now.healthFactorRaw,
  );
  if (isOtherPrincipal(before.event, now)) return change('principal', true);
  if (
    parametersOf(before.event.legs) !== parametersOf(now.legs) ||
    flagsOf(before.event.flags ?? now.flags) !== flagsOf(now.flags)
  )
    return change('parameter', band !== previousBand || isMaterialMove);
  if (band !== previousBand) return change('band', true);
  if (
    level !== previousLevel ||
    movedBy(EVENT_PER_TEN_THOUSAND, wadOf(before.event.healthFactorRaw), now.healthFactorRaw)
  )
    return change('health_factor', isMaterialMove);
  return null;
}

function closing({ event }: PublishedPosition): Change {
  return {
    reason: 'closed',
    material: true,
    band: 'none',
    previousBand: event.band,
    level: 'none',
    previousLevel: levelOfEvent(event),
    probability7d: null,
  };
}

/**
 * Whether a health factor moved by this many ten thousandths of its previous value. A new or closed debt
 * always counts.
 */
function movedBy(perTenThousand: bigint, from: bigint | null, to: bigint | null): boolean {
  if (from === null || to === null) return from !== to;
  const distance = from < to ? to - from : from - to;
  return distance > 0n && distance * 10_000n >= from * perTenThousand;
}

/**
 * Whether a wallet acted. If the protocol shows debts only with interest, a debt that fell or grew by more
 * than interest shows an action.
 */
function isOtherPrincipal(before: PositionV1, now: RawPosition): boolean {
  const growing = new Set(now.legs.filter(({ scaledGrows }) => scaledGrows).map(nameOf));
  const stored = (legs: readonly ComparedLeg[]): string =>
    principalOf(legs.filter((leg) => !growing.has(nameOf(leg))));
  if (stored(before.legs) !== stored(now.legs)) return true;
  const seconds = Number(now.blockTimestamp) - Date.parse(before.blockTime) / 1_000;
  // Two markets may owe the same token.
  const sum = (legs: readonly ComparedLeg[], name: string): bigint =>
    legs.reduce((total, leg) => (nameOf(leg) === name ? total + BigInt(leg.scaledRaw) : total), 0n);
  return [...growing].some((name) => !isInterest(sum(before.legs, name), sum(now.legs, name), seconds));
}

/** @param seconds below 0 where a reorg led to an earlier block */
function isInterest(from: bigint, to: bigint, seconds: number): boolean {
  const share = BigInt(Math.ceil(Math.abs(seconds)));
  const most = (from * MOST_YEARLY_GROWTH * share) / YEAR_SECONDS + ROUNDING;
  const grown = seconds < 0 ? from - to : to - from;
  return grown >= -ROUNDING && grown <= most;
}

function nameOf({ side, address }: ComparedLeg): string {
  return `${side} ${address.toLowerCase()}`;
}

function principalOf(legs: readonly ComparedLeg[]): string {
  return fingerprint(legs, ({ scaledRaw }) => String(scaledRaw));
}

function parametersOf(legs: readonly ComparedLeg[]): string {
  return fingerprint(
    legs,
    ({ liquidationThresholdBps, usedAsCollateral, oracle }) =>
      `${liquidationThresholdBps} ${usedAsCollateral} ${oracle.toLowerCase()}`,
  );
}

function flagsOf(flags: readonly string[]): string {
  return [...flags].sort().join(' ');
}

/** A key that is equal for the same legs in any order. */
function fingerprint<L extends ComparedLeg>(legs: readonly L[], of: (leg: L) => string): string {
  return legs
    .map((leg) => `${nameOf(leg)} ${of(leg)}`)
    .sort()
    .join('\n');
}
