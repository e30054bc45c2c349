import type { RawLeg } from '@plimsoll/protocols';

/** Returns the rate of a leg in the field of its side, and no field if it was not read. */
export function rateOf({ side, annualRate }: Pick<RawLeg, 'side' | 'annualRate'>): {
  supplyRate?: number;
  borrowRate?: number;
} {
  if (annualRate === undefined) return {};
  return side === 'debt' ? { borrowRate: annualRate } : { supplyRate: annualRate };
}

/** Returns the rate of a leg from either field: the inverse of rateOf. */
export function annualRateOf({ supplyRate, borrowRate }: { supplyRate?: number; borrowRate?: number }): {
  annualRate?: number;
} {
  const annualRate = supplyRate ?? borrowRate;
  return annualRate === undefined ? {} : { annualRate };
}
