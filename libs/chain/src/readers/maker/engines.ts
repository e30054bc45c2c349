import type { Address } from 'viem';
import type { MarketRow } from '../../registry/registry';
import { optionalContractOf } from '../row-text';

/** The engines of lockstake that the row names: that of SKY, and the first one, of MKR. */
export function enginesOf({ contracts }: MarketRow): Address[] {
  return ['lockstakeEngine', 'lockstakeEngineV1'].flatMap(
    (name) => optionalContractOf(contracts, name) ?? [],
  );
}
