import type { MarketRow } from '@plimsoll/evm';
import type { Mismatch } from '@plimsoll/protocols';

/** The difference from a contract's figure, in parts of it, above which an operator is alerted. */
const MOST_RELATIVE = 1e-6;
/** Wad: enough for a ratio of two integers of any size. */
const SCALE = 10n ** 18n;

/** The figure of a family on a chain. Each has at most one open alert. */
export type VerifiedFigure = Pick<MarketRow, 'family' | 'chainId'> & Pick<Mismatch, 'figure'>;

/** The subject of the alert of a figure. */
export function subjectOf({ family, chainId, figure }: VerifiedFigure): string {
  return `${family}/${chainId}/${figure}`;
}

/**
 * The difference between two figures in parts of the contract's. Infinity if only one of them exists, or the
 * contract's is 0.
 */
export function relativeDifference({ computed, contract }: Pick<Mismatch, 'computed' | 'contract'>): number {
  if (computed === contract) return 0;
  if (computed === null || contract === null || contract === 0n) return Infinity;
  const difference = computed > contract ? computed - contract : contract - computed;
  return Number((difference * SCALE) / contract) / Number(SCALE);
}

/**
 * Whether a mismatch is more than rounding, or the contract states the opposite about a liquidation, however near to 1
 * the health factor is.
 */
export function needsOperator(mismatch: Pick<Mismatch, 'figure' | 'computed' | 'contract'>): boolean {
  const { figure, computed, contract } = mismatch;
  const isBelowOne = (factor: bigint | null): boolean => factor !== null && factor < SCALE;
  const isOpposite = figure === 'healthFactor' && isBelowOne(computed) !== isBelowOne(contract);
  return isOpposite || relativeDifference(mismatch) > MOST_RELATIVE;
}
