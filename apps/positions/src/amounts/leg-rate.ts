import type { RawLeg } from '@plimsoll/protocols';

/** The rate of a leg under the name of its side. None if it was not read. */
export function rateOf({ side, annualRate }: Pick<RawLeg, 'side' | 'annualRate'>): {
  supplyRate?: number;
  borrowRate?: number;
} {
  if (annualRate === undefined) return {};
  return side === 'debt' ? { borrowRate: annualRate } : { supplyRate: annualRate };
}

/** The same the other way round. */
export function annualRateOf({ supplyRate, borrowRate }: { supplyRate?: number; borrowRate?: number }): {
  annualRate?: number;
} {
  const annualRate = supplyRate ?? borrowRate;
  return annualRate === undefined ? {} : { annualRate };
}
