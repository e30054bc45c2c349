import type { ExecutionConfig } from '../config';

/** Returns the blocks, including its own, after which a transaction is final on a chain. */
export function confirmationsNeeded(
  { CONFIRMATIONS, DEFAULT_CONFIRMATIONS }: Pick<ExecutionConfig, 'CONFIRMATIONS' | 'DEFAULT_CONFIRMATIONS'>,
  chainId: number,
): number {
  const own = CONFIRMATIONS.split(',')
    .map((pair) => pair.split(':'))
    .find(([chain]) => chain === String(chainId));
  return own ? Number(own[1]) : DEFAULT_CONFIRMATIONS;
}
