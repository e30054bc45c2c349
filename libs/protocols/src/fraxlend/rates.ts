import { type BlockRef, type CallResults, type PlanBuilder, readAll } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import { WAD } from '../fixed-point/math';
import { type AssetRates, PER_SECOND, suppliersShare } from '../reader/asset-rates';
import type { RowScope } from '../reader/family';
import type { FraxlendLayout } from './market';

const abi = parseAbi([
  'struct RateInfo { uint32 lastBlock; uint32 feeToProtocolRate; uint64 lastTimestamp; uint64 ratePerSec; uint64 fullUtilizationRate; }',
  'struct VaultAccount { uint128 amount; uint128 shares; }',
  'function previewAddInterest() view returns (uint256 interestEarned, uint256 feesAmount, uint256 feesShare, RateInfo newCurrentRateInfo, VaultAccount totalAsset, VaultAccount totalBorrow)',
]);
const firstVersionAbi = parseAbi([
  'function addInterest() view returns (uint256 interestEarned, uint256 feesAmount, uint256 feesShare, uint64 newRate)',
]);
/** 100 % of the fee. */
const FEE_PRECISION = 10n ** 5n;

type PairRates = Pick<AssetRates, 'supply' | 'borrow'>;

/** The rates of the pairs. A pair that states none has null. @throws ChainReadError */
export async function readFraxlendRates(
  scope: RowScope,
  { pairs }: FraxlendLayout,
  block: BlockRef,
): Promise<AssetRates[]> {
  const known = [...pairs].flatMap(([pair, tokens]) => (tokens ? [{ pair, ...tokens }] : []));
  const rates = await readAll(scope, 'rates', block, (plan) => known.map(({ pair }) => addRates(plan, pair)));
  return known.map(({ pair, asset, collateral }, index) => ({
    subId: pair,
    token: asset.address,
    symbol: asset.symbol,
    collateral: { token: collateral.address, symbol: collateral.symbol },
    unit: PER_SECOND,
    ...rates[index]!,
  }));
}

/**
 * The rate at which a pair adds interest in this block. Pairs of the first version state no fee with it, so what their
 * suppliers receive is not known. Source: fraxlend, FraxlendPairCore.sol: _addInterest of 6a69b17, _calculateInterest of
 * 3314bd6.
 */
function addRates(plan: PlanBuilder, pair: Address): (results: CallResults) => PairRates {
  const preview = plan.call(pair, abi, 'previewAddInterest', []);
  const accrual = plan.call(pair, firstVersionAbi, 'addInterest', []);
  return ({ outcome }) => {
    const [previewed, added] = [outcome(preview), outcome(accrual)];
    if (previewed.ok) {
      const [, , , { ratePerSec, feeToProtocolRate }, lent, owed] = previewed.value;
      const fee = (BigInt(feeToProtocolRate) * WAD) / FEE_PRECISION;
      const totals = { supplied: lent.amount, borrowed: owed.amount, fee };
      return {
        supply: { raw: suppliersShare(ratePerSec, totals), statedBy: null },
        borrow: { raw: ratePerSec, statedBy: 'previewAddInterest.newCurrentRateInfo.ratePerSec' },
      };
    }
    if (!added.ok) return { supply: null, borrow: null };
    return { supply: null, borrow: { raw: added.value[3], statedBy: 'addInterest.newRate' } };
  };
}
