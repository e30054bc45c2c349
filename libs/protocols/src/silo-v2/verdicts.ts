import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { encodeFunctionData, maxUint256, parseAbi, type Address } from 'viem';
import { isLiquidatable, type RawLeg } from '../reader/raw-position';
import { readFunds } from '../verdicts/funds';
import { forEachOf, type ReadVerdicts, type Verdict } from '../verdicts/verdict';
import { PROTECTED, readSiloPairs, siloAbi } from './layout';

const abi = parseAbi([
  'function isSolvent(address borrower) view returns (bool)',
  'function maxRepay(address borrower) view returns (uint256)',
  'function previewRedeem(uint256 shares, uint8 collateralType) view returns (uint256)',
  'function liquidationCall(address collateralAsset, address debtAsset, address user, uint256 maxDebtToCover, bool receiveSToken) returns (uint256 withdrawCollateral, uint256 repayDebtAssets)',
]);
/** ISilo.AssetType of deposits that are lent. */
const COLLATERAL = 1;

/**
 * The deposits and debts that the silos state, isSolvent, and whether the market's hook liquidates where the sender can
 * pay.
 */
export const siloV2Verdicts: ReadVerdicts = async (scope, positions) => {
  const { block, simulation } = scope;
  contractOf(scope.row, 'factory');
  const ids = [...new Set(positions.map(({ subId }) => subId))];
  const { pairs } = await readSiloPairs(scope, block, ids);
  const markets = positions.map(({ subId }) => pairs.get(subId)!);
  const shares = await readAll(scope, 'shares', block, (plan) =>
    positions.map(({ wallet }, index) =>
      markets[index]!.sides.map(({ protectedShares, collateralShares }) => ({
        secured: plan.call(protectedShares, siloAbi, 'balanceOf', [wallet]),
        lent: plan.call(collateralShares, siloAbi, 'balanceOf', [wallet]),
      })),
    ),
  );
  const stated = await readAll(scope, 'verdicts', block, (plan) =>
    positions.map(({ wallet }, index) => ({
      isSolvent: plan.attempt(markets[index]!.sides[0].silo, abi, 'isSolvent', [wallet]),
      solvency: plan.call(markets[index]!.config, siloAbi, 'getConfigsForSolvency', [wallet]),
      sides: markets[index]!.sides.map(({ silo }, side) => {
        const { secured, lent } = shares[index]![side]!;
        return {
          secured: plan.call(silo, abi, 'previewRedeem', [secured, PROTECTED]),
          lent: plan.call(silo, abi, 'previewRedeem', [lent, COLLATERAL]),
          debt: plan.call(silo, abi, 'maxRepay', [wallet]),
        };
      }),
    })),
  );
  const funds = await readFunds(
    scope,
    stated.map(({ solvency: [, debt] }) => ({
      token: lowerCase(debt.token),
      spender: lowerCase(debt.hookReceiver),
    })),
  );
  const attempts = positions.map((position, index) => ({
    position,
    solvency: stated[index]!.solvency,
    owed: position.legs.reduce((sum, leg) => (leg.side === 'debt' ? sum + leg.amountRaw : sum), 0n),
    funds: funds[index]!,
  }));
  const liquidations = await forEachOf(
    attempts,
    async ({ position, solvency: [collateral, debt], owed, funds: own }) => {
      if (owed === 0n || own < owed * 2n) return null;
      const args = [collateral.token, debt.token, position.wallet, maxUint256] as const;
      // A silo without liquidity pays only in shares.
      for (const inShares of [false, true]) {
        const data = encodeFunctionData({ abi, functionName: 'liquidationCall', args: [...args, inShares] });
        const outcome = await simulation.inOrder([{ to: debt.hookReceiver, data }], block);
        if (outcome.ok) return true;
      }
      return false;
    },
  );
  return positions.map((position, index): Verdict[] => {
    const { isSolvent, sides } = stated[index]!;
    const computed = isLiquidatable(position);
    const amountOf = (token: Address, side: RawLeg['side']): bigint =>
      position.legs.find((leg) => leg.address === token && leg.side === side)?.amountRaw ?? 0n;
    const amounts = sides.flatMap(({ secured, lent, debt }, side): Verdict[] => {
      const { token } = markets[index]!.sides[side]!;
      return [
        { of: 'previewRedeem', computed: amountOf(token, 'collateral'), contract: secured + lent },
        { of: 'maxRepay', computed: amountOf(token, 'debt'), contract: debt },
      ];
    });
    const succeeds = liquidations[index]!;
    return [
      ...amounts,
      { of: 'isSolvent', computed: !computed, contract: isSolvent.ok ? isSolvent.value : null },
      ...(succeeds === null
        ? []
        : [{ of: 'liquidationCall', computed, contract: succeeds, isLiquidation: true } as const]),
    ];
  });
};
