const MIN_DIGITS = 2;
/** Decimal places by size: fewer for larger amounts. */
const DIGITS = [
  { from: 1_000n, digits: 2 },
  { from: 1n, digits: 4 },
  { from: 0n, digits: 8 },
];

/**
 * Returns an amount in token units for display, with thousands separators, rounded to the nearest: 1,240.50.
 */
export function formatAmount(amountRaw: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const digits = DIGITS.find(({ from }) => amountRaw >= from * scale)!.digits;
  const unit = 10n ** BigInt(digits);
  const rounded = (amountRaw * unit + scale / 2n) / scale;
  if (rounded === 0n && amountRaw > 0n) return `less than 0.${'1'.padStart(digits, '0')}`;
  const whole = (rounded / unit).toLocaleString('en-US');
  const fraction = (rounded % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return `${whole}.${fraction.padEnd(MIN_DIGITS, '0')}`;
}

/** The same with the token’s symbol. */
export function amountOf(
  { symbol, decimals }: { symbol: string; decimals: number },
  amountRaw: bigint,
): string {
  return `${formatAmount(amountRaw, decimals)} ${symbol}`;
}
