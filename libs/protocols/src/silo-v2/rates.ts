import { type BlockRef, readAll } from '@plimsoll/evm';
import { parseAbi } from 'viem';
import { type AssetRates, PER_YEAR_WAD, suppliersShare } from '../reader/asset-rates';
import type { RowScope } from '../reader/family';
import { readSymbols } from '../reader/tokens';
import { readSiloIds, readSiloPairs, siloAbi } from './layout';

const modelAbi = parseAbi([
  'function getCurrentInterestRate(address silo, uint256 blockTimestamp) view returns (uint256)',
]);

/**
 * The rates of all silos of a factory, each as its rate model states it for the time of the block. Source:
 * silo-contracts-v2, SiloLensLib.sol, getBorrowAPR and getDepositAPR. @throws ChainReadError
 */
export async function readSiloRates(scope: RowScope, block: BlockRef): Promise<AssetRates[]> {
  const { pairs } = await readSiloPairs(scope, block, await readSiloIds(scope, block));
  const silos = [...pairs.values()].flatMap(({ sides: [first, second] }) => [
    { ...first, other: second },
    { ...second, other: first },
  ]);
  const read = await readAll(scope, 'rates', block, (plan) =>
    silos.map(({ silo, rateModel }) => ({
      rate: plan.attempt(rateModel, modelAbi, 'getCurrentInterestRate', [silo, block.timestamp]),
      lent: plan.attempt(silo, siloAbi, 'getCollateralAssets', []),
      owed: plan.attempt(silo, siloAbi, 'getDebtAssets', []),
    })),
  );
  const named = await readSymbols(scope, [...new Set(silos.map(({ token }) => token))], block);
  const symbols = new Map(named.map(({ address, symbol }) => [address, symbol]));
  return silos.map(({ silo, token, other, fee }, index) => {
    const { rate, lent, owed } = read[index]!;
    const supply =
      rate.ok && lent.ok && owed.ok
        ? suppliersShare(rate.value, { supplied: lent.value, borrowed: owed.value, fee })
        : null;
    return {
      subId: silo,
      token,
      symbol: symbols.get(token)!,
      collateral: { token: other.token, symbol: symbols.get(other.token)! },
      unit: PER_YEAR_WAD,
      supply: supply === null ? null : { raw: supply, statedBy: null },
      borrow: rate.ok ? { raw: rate.value, statedBy: 'getCurrentInterestRate' } : null,
    };
  });
}
