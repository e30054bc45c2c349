const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** 1240 as 1,240. */
export const formatCount = (value: number): string => WHOLE.format(value);

/** 3.2 ms, 48 ms, 1,204 ms. */
export const formatMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : formatCount(Math.round(ms))} ms`;

const UNITS = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration in its largest unit: 2 min, 3 h, 1 day, 12 days. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [unit, size] = UNITS.find(([, each]) => whole >= each) ?? (['s', 1] as const);
  const value = Math.floor(whole / size);
  return `${value} ${unit === 'day' && value > 1 ? 'days' : unit}`;
}

/** A time beside now: 2 min ago, in 3 h, just now. */
export function formatAgo(at: Date, now: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1_000;
  if (Math.abs(seconds) < 5) return 'just now';
  return seconds > 0 ? `${formatDuration(seconds)} ago` : `in ${formatDuration(-seconds)}`;
}

/** 2026-11-27 12:48:43 UTC. */
export const formatUtc = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const LOCAL = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** A time in the zone of the user: 27 Nov 2026, 13:48:43 CET. */
export const formatLocal = (at: Date): string => LOCAL.format(at);

/** An address or hash by its ends: 0x7099…79C8. */
export const shortened = (text: string): string =>
  text.length > 13 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A UTC day such as 2026-11-27 as 27 Nov. */
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

const CENTS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
/** Below it, an amount has cents. */
const SMALL_USD = 100;

/** US dollars: 0.02, 18.50, 1,240. */
export const formatUsd = (usd: number): string =>
  usd !== 0 && Math.abs(usd) < SMALL_USD ? CENTS.format(usd) : WHOLE.format(usd);

/** US dollars where there is little room: 12.4k, 965.7M. */
export const formatShortUsd = (usd: number): string => COMPACT.format(usd).replace('K', 'k');

const HEALTH = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, minimumFractionDigits: 2 });
/** From it on, a health factor has two decimals. */
const FAR = 1.5;

/** A health factor, rounded down, so that a position never looks safer than it is: 0.999, 1.009, 2.15. */
export function formatHealthFactor(healthFactor: number): string {
  const scale = healthFactor < FAR ? 1_000 : 100;
  // A double such as 1.009 may be slightly below its decimals.
  const down = Math.floor(healthFactor * scale + 1e-7);
  const shown = (healthFactor < 1 ? Math.min(down, scale - 1) : down) / scale;
  return scale === 1_000 ? shown.toFixed(3) : HEALTH.format(shown);
}

/** A change in percent with its sign: −9.1 %, +0.4 %. */
export function formatChange(percent: number): string {
  const size = Math.abs(percent).toFixed(1);
  if (Number(size) === 0) return '0.0 %';
  return `${percent < 0 ? '−' : '+'}${size} %`;
}

/** The error that covers 95 %, in standard errors. */
const COVERED = 1.96;

/** Below it, a probability has two decimals. */
const RARE = 0.01;

/** A probability with its error at 95 %: 8.9 % ± 0.4, 0.03 % ± 0.03, below 0.04 %, 0.0 %. */
export function formatProbability(
  probability: number,
  standardError = 0,
  upperBound: number | null = null,
): string {
  const most = upperBound ?? probability;
  const digits = most > 0 && most < RARE ? 2 : 1;
  const percent = (value: number): string => (value * 100).toFixed(digits);
  if (upperBound !== null) {
    const scale = 10 ** (digits + 2);
    return `below ${percent(Math.ceil(upperBound * scale - 1e-9) / scale)} %`;
  }
  const error = COVERED * standardError;
  return `${percent(probability)} %${error === 0 ? '' : ` ± ${percent(error)}`}`;
}

const SIX_DIGITS = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });

/** An amount of tokens with six digits: 12.3457, 61,000.2. */
export const formatAmount = (amount: number): string => SIX_DIGITS.format(amount);

/** A price in US dollars: 2,534.10, 0.999871. */
export const formatPrice = (usd: number): string => (usd >= 1 ? CENTS.format(usd) : SIX_DIGITS.format(usd));

/** An exact amount from its smallest units: 1500000 with 6 decimals is 1.5. */
export function formatExact(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const units = digits.slice(0, digits.length - decimals);
  return decimals > 0 && fraction ? `${units}.${fraction}` : units;
}
