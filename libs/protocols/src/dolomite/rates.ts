import { type BlockRef, readAll } from '@plimsoll/evm';
import type { Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { type AssetRates, PER_SECOND, suppliersShare } from '../reader/asset-rates';
import type { RowScope } from '../reader/family';
import type { Token } from '../reader/tokens';
import { marginAbi } from './abi';

/**
 * The rates of all markets. The earnings rate is the part of the interest that suppliers receive; a market may have one of its
 * own, which earlier versions do not have. Source: dolomite-margin, GettersImpl.sol; Storage.sol, fetchInterestRate;
 * Interest.sol, calculateNewIndex. @throws ChainReadError
 */
export async function readDolomiteRates(
  scope: RowScope,
  { margin, tokens }: { margin: Address; tokens: readonly (Token | null)[] },
  block: BlockRef,
): Promise<AssetRates[]> {
  const { common, markets } = await readAll(scope, 'rates', block, (plan) => ({
    common: plan.attempt(margin, marginAbi, 'getEarningsRate', []),
    markets: tokens.map((_, id) => ({
      rate: plan.attempt(margin, marginAbi, 'getMarketInterestRate', [BigInt(id)]),
      own: plan.attempt(margin, marginAbi, 'getMarketEarningsRateOverride', [BigInt(id)]),
      pars: plan.attempt(margin, marginAbi, 'getMarketTotalPar', [BigInt(id)]),
      index: plan.attempt(margin, marginAbi, 'getMarketCurrentIndex', [BigInt(id)]),
    })),
  }));
  return markets.flatMap(({ rate, own, pars, index }, id): AssetRates[] => {
    const token = tokens[id];
    if (!token) return [];
    const earnings = own.ok && own.value.value > 0n ? own.value.value : common.ok ? common.value.value : null;
    const isKnown = rate.ok && pars.ok && index.ok && earnings !== null;
    const supply = isKnown
      ? suppliersShare(rate.value.value, {
          supplied: (pars.value.supply * index.value.supply) / WAD,
          borrowed: (pars.value.borrow * index.value.borrow) / WAD,
          fee: WAD - earnings,
        })
      : null;
    return [
      {
        subId: '',
        token: token.address,
        symbol: token.symbol,
        collateral: null,
        unit: PER_SECOND,
        supply: supply === null ? null : { raw: supply, statedBy: null },
        borrow: rate.ok ? { raw: rate.value.value, statedBy: 'getMarketInterestRate' } : null,
      },
    ];
  });
}
