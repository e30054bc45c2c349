import { type MarketRow, optionalContractOf } from '@plimsoll/evm';
import type { Address } from 'viem';

/** The engines of lockstake that the row names: that of SKY, and the first one, of MKR. */
export function enginesOf({ contracts }: MarketRow): Address[] {
  return ['lockstakeEngine', 'lockstakeEngineV1'].flatMap(
    (name) => optionalContractOf(contracts, name) ?? [],
  );
}
