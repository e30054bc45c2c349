import type { ExecutionConfig } from '../config';

/** Blocks, its own included, after which a transaction on a chain is final. */
export function confirmationsNeeded(
  { CONFIRMATIONS, DEFAULT_CONFIRMATIONS }: Pick<ExecutionConfig, 'CONFIRMATIONS' | 'DEFAULT_CONFIRMATIONS'>,
  chainId: number,
): number {
  const own = CONFIRMATIONS.split(',')
    .map((pair) => pair.split(':'))
    .find(([chain]) => chain === String(chainId));
  return own ? Number(own[1]) : DEFAULT_CONFIRMATIONS;
}
