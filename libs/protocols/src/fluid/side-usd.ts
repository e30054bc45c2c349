import { type CallResults, type PlanBuilder, optionalContractOf } from '@plimsoll/evm';
import type { ReadScope } from '../reader/family';
import { addUsdPrice } from '../reader/usd-price';
import { dexAbi, NATIVE, type FluidSide } from './layout';

/**
 * Adds the reads of the dollar value (wad) of one whole unit of a side: of a token by the chain's oracles, of
 * a share by its two tokens. Null if one of these is unknown, or the row names no resolver of the DEXes.
 */
export function addSideUsd(
  plan: PlanBuilder,
  { row, usdOracles }: ReadScope,
  side: FluidSide,
  kind: 'supply' | 'borrow',
): (results: CallResults) => bigint | null {
  const wrapped = optionalContractOf(row.contracts, 'wrappedNative') ?? NATIVE;
  const addToken = (token: FluidSide['address']) =>
    addUsdPrice(plan, usdOracles, token === NATIVE ? wrapped : token);
  if (!side.pair) return addToken(side.address);
  const resolver = optionalContractOf(row.contracts, 'dexResolver');
  if (!resolver) return () => null;
  const state = plan.call(resolver, dexAbi, 'getDexState', [side.address]);
  const tokens = side.pair.map(({ address, decimals }) => ({ decimals, usd: addToken(address) }));
  return (results) => {
    const result = results.outcome(state);
    if (!result.ok) return null;
    const { token0PerSupplyShare, token1PerSupplyShare, token0PerBorrowShare, token1PerBorrowShare } =
      result.value;
    const perShare =
      kind === 'supply'
        ? [token0PerSupplyShare, token1PerSupplyShare]
        : [token0PerBorrowShare, token1PerBorrowShare];
    let usdValue = 0n;
    for (const [index, { decimals, usd }] of tokens.entries()) {
      const known = usd(results);
      if (known === null) return null;
      usdValue += (perShare[index]! * known) / 10n ** BigInt(decimals);
    }
    return usdValue > 0n ? usdValue : null;
  };
}
