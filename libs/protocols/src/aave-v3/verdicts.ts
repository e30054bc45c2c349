import { readAll } from '@plimsoll/evm';
import { encodeFunctionData, maxUint256, parseAbi, type Address } from 'viem';
import type { RawLeg } from '../reader/raw-position';
import { readFunds } from '../verdicts/funds';
import {
  forEachOf,
  liquidationVerdict,
  type ReadVerdicts,
  type Verdict,
  type VerdictScope,
} from '../verdicts/verdict';
import { poolAbi } from './abi';
import { V3_CALLS, readAddresses, resolveProvider } from './layout';

const abi = parseAbi([
  'function liquidationCall(address collateral, address debt, address user, uint256 debtToCover, bool receiveAToken)',
]);

/** getUserAccountData, and whether liquidationCall succeeds where the sender can pay the whole debt. */
export function aaveVerdicts(poolOf: (scope: VerdictScope) => Promise<Address>): ReadVerdicts {
  return async (scope, positions) => {
    const { block, simulation } = scope;
    const pool = await poolOf(scope);
    const figures = await readAll(scope, 'verdicts', block, (plan) =>
      positions.map(({ wallet }) => plan.call(pool, poolAbi, 'getUserAccountData', [wallet])),
    );
    const debts = [
      ...new Set(
        positions
          .flatMap(({ legs }) => legs.filter(({ side }) => side === 'debt'))
          .map(({ address }) => address),
      ),
    ];
    const funds = await readFunds(
      scope,
      debts.map((token) => ({ token, spender: pool })),
    );
    const liquidations = await forEachOf(positions, async ({ wallet, legs }) => {
      // Dust of either side is rounded down to nothing, which pools do not liquidate.
      const collateral = largestOf(legs.filter(({ usedAsCollateral }) => usedAsCollateral));
      const debt = largestOf(
        legs.filter(({ side, address, amountRaw }) => {
          return side === 'debt' && funds[debts.indexOf(address)]! >= amountRaw;
        }),
      );
      if (!collateral || !debt) return null;
      const args = [collateral.address, debt.address, wallet, maxUint256, false] as const;
      const data = encodeFunctionData({ abi, functionName: 'liquidationCall', args });
      return (await simulation.inOrder([{ to: pool, data }], block)).ok;
    });
    return positions.map((position, index): Verdict[] => {
      const [collateral, debt, , , , healthFactor] = figures[index]!;
      return [
        { of: 'totalCollateralBase', computed: position.totalCollateralRaw, contract: collateral },
        { of: 'totalDebtBase', computed: position.totalDebtRaw, contract: debt },
        { of: 'healthFactor', computed: position.healthFactorRaw ?? maxUint256, contract: healthFactor },
        ...liquidationVerdict('liquidationCall', position, liquidations[index]!),
      ];
    });
  };
}

/** That of the largest value. Undefined without any. */
function largestOf(legs: readonly RawLeg[]): RawLeg | undefined {
  const valueOf = ({ amountRaw, priceRaw, decimals }: RawLeg): bigint =>
    (amountRaw * priceRaw * 10n ** 18n) / 10n ** BigInt(decimals);
  return legs.toSorted((a, b) => Number(valueOf(a) < valueOf(b)) - Number(valueOf(a) > valueOf(b)))[0];
}

/** The verdicts of a pool of Aave v3. */
export const aaveV3Verdicts = aaveVerdicts(async (scope) => {
  const provider = await resolveProvider(scope, scope.block);
  return (await readAddresses(scope, provider, V3_CALLS, scope.block)).pool;
});
