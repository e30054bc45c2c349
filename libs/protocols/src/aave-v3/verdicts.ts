import { readAll } from '@plimsoll/evm';
import { encodeFunctionData, maxUint256, parseAbi } from 'viem';
import { readFunds } from '../verdicts/funds';
import { forEachOf, liquidationVerdict, type ReadVerdicts, type Verdict } from '../verdicts/verdict';
import { poolAbi } from './abi';
import { V3_CALLS, readAddresses, resolveProvider } from './layout';

const abi = parseAbi([
  'function liquidationCall(address collateral, address debt, address user, uint256 debtToCover, bool receiveAToken)',
]);

/** getUserAccountData, and whether liquidationCall succeeds where the sender can pay the whole debt. */
export const aaveV3Verdicts: ReadVerdicts = async (scope, positions) => {
  const { block, simulation } = scope;
  const { pool } = await readAddresses(scope, await resolveProvider(scope, block), V3_CALLS, block);
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
    const collateral = legs.find(({ usedAsCollateral }) => usedAsCollateral);
    const debt = legs.find(({ side, address, amountRaw }) => {
      return side === 'debt' && funds[debts.indexOf(address)]! >= amountRaw;
    });
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
