import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { encodeFunctionData, maxUint256, parseAbi, type Address } from 'viem';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readFunds } from '../verdicts/funds';
import { forEachOf, liquidationVerdict, type ReadVerdicts, type Verdict } from '../verdicts/verdict';
import { spokeAbi } from './accounts';

const abi = parseAbi([
  'function getUserTotalDebt(uint256 reserveId, address user) view returns (uint256)',
  'function liquidationCall(uint256 collateralReserveId, uint256 debtReserveId, address user, uint256 debtToCover, bool receiveShares)',
]);

/**
 * The supplies and debts that the spoke states for each reserve, getUserAccountData, and whether liquidationCall succeeds
 * where the sender can pay the debt.
 */
export const aaveV4Verdicts: ReadVerdicts = async (scope, positions) => {
  const { block, simulation } = scope;
  const spoke = contractOf(scope.row, 'spoke');
  const count = await readAll(scope, 'spoke', block, (plan) =>
    plan.call(spoke, spokeAbi, 'getReserveCount', []),
  );
  const ids = Array.from({ length: Number(count) }, (_, id) => BigInt(id));
  const reserves = await readAll(scope, 'reserves', block, (plan) =>
    ids.map((id) => plan.call(spoke, spokeAbi, 'getReserve', [id])),
  );
  const tokens = reserves.map(({ underlying }) => lowerCase(underlying));
  const stated = await readAll(scope, 'verdicts', block, (plan) =>
    positions.map(({ wallet }) => ({
      account: plan.call(spoke, spokeAbi, 'getUserAccountData', [wallet]),
      reserves: ids.map((id) => ({
        supplied: plan.call(spoke, spokeAbi, 'getUserSuppliedAssets', [id, wallet]),
        owed: plan.call(spoke, abi, 'getUserTotalDebt', [id, wallet]),
        status: plan.call(spoke, spokeAbi, 'getUserReserveStatus', [id, wallet]),
      })),
    })),
  );
  const funds = await readFunds(
    scope,
    tokens.map((token) => ({ token, spender: spoke })),
  );
  const attempts = positions.map(({ wallet }, index) => ({ wallet, reserves: stated[index]!.reserves }));
  const liquidations = await forEachOf(attempts, async ({ wallet, reserves: own }) => {
    const debts = ids.filter((_, at) => own[at]!.owed > 0n && funds[at]! >= own[at]!.owed);
    const collaterals = ids.filter((_, at) => own[at]!.supplied > 0n && own[at]!.status[0]);
    if (debts.length === 0 || collaterals.length === 0) return null;
    for (const debt of debts)
      for (const collateral of collaterals)
        // A hub without liquidity pays only in shares.
        for (const inShares of [false, true]) {
          const args = [collateral, debt, wallet, maxUint256, inShares] as const;
          const data = encodeFunctionData({ abi, functionName: 'liquidationCall', args });
          if ((await simulation.inOrder([{ to: spoke, data }], block)).ok) return true;
        }
    return false;
  });
  return positions.map((position, index): Verdict[] => {
    const { account, reserves: own } = stated[index]!;
    const sumOf = (token: Address, part: 'supplied' | 'owed'): bigint =>
      own.reduce((sum, each, at) => (tokens[at] === token ? sum + each[part] : sum), 0n);
    const amounts = [...new Set(tokens)].flatMap((token): Verdict[] => [
      {
        of: 'getUserSuppliedAssets',
        computed: amountOf(position, token, 'collateral'),
        contract: sumOf(token, 'supplied'),
      },
      {
        of: 'getUserTotalDebt',
        computed: amountOf(position, token, 'debt'),
        contract: sumOf(token, 'owed'),
      },
    ]);
    return [
      ...amounts,
      {
        of: 'totalCollateralValue',
        computed: position.totalCollateralRaw,
        contract: account.totalCollateralValue,
      },
      {
        of: 'healthFactor',
        computed: position.healthFactorRaw ?? maxUint256,
        contract: account.healthFactor,
      },
      ...liquidationVerdict('liquidationCall', position, liquidations[index]!),
    ];
  });
};

function amountOf({ legs }: RawPosition, token: Address, side: RawLeg['side']): bigint {
  return legs
    .filter((leg) => leg.address === token && leg.side === side)
    .reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
}
