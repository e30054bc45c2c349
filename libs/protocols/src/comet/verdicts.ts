import { contractOf, readAll } from '@plimsoll/evm';
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { isLiquidatable } from '../reader/raw-position';
import { forEachOf, type ReadVerdicts, type Verdict } from '../verdicts/verdict';

const abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function borrowBalanceOf(address account) view returns (uint256)',
  'function userCollateral(address user, address asset) view returns (uint128 balance, uint128 reserved)',
  'function isLiquidatable(address account) view returns (bool)',
  'function accrueAccount(address account)',
  'function absorb(address absorber, address[] accounts)',
]);

/**
 * The balances that comet itself returns, isLiquidatable, and whether absorb succeeds. isLiquidatable takes the index of the
 * last accrual, and absorb accrues first, so it is read after an accrual.
 */
export const cometVerdicts: ReadVerdicts = async (scope, positions) => {
  const { row, block, simulation } = scope;
  const comet = contractOf(row, 'comet');
  const balances = await readAll(scope, 'verdicts', block, (plan) =>
    positions.map(({ wallet, legs }) => ({
      supplied: plan.call(comet, abi, 'balanceOf', [wallet]),
      borrowed: plan.call(comet, abi, 'borrowBalanceOf', [wallet]),
      collaterals: legs
        .filter(({ usedAsCollateral }) => usedAsCollateral)
        .map(({ address }) => plan.call(comet, abi, 'userCollateral', [wallet, address])),
    })),
  );
  const outcomes = await forEachOf(positions, async ({ wallet }) => {
    const dataOf = (functionName: 'accrueAccount' | 'isLiquidatable') =>
      ({ to: comet, data: encodeFunctionData({ abi, functionName, args: [wallet] }) }) as const;
    const absorb = encodeFunctionData({ abi, functionName: 'absorb', args: [wallet, [wallet]] });
    const stated = await simulation.inOrder([dataOf('accrueAccount'), dataOf('isLiquidatable')], block);
    const absorbed = await simulation.inOrder([{ to: comet, data: absorb }], block);
    const functionName = 'isLiquidatable';
    return {
      isLiquidatable: stated.ok ? decodeFunctionResult({ abi, functionName, data: stated.value }) : null,
      isAbsorbed: absorbed.ok,
    };
  });
  return positions.map((position, index): Verdict[] => {
    const { supplied, borrowed, collaterals } = balances[index]!;
    const amountOf = (side: 'collateral' | 'debt'): bigint =>
      position.legs.find((leg) => leg.side === side && !leg.usedAsCollateral)?.amountRaw ?? 0n;
    const held = position.legs.filter(({ usedAsCollateral }) => usedAsCollateral);
    const computed = isLiquidatable(position);
    const { isLiquidatable: stated, isAbsorbed } = outcomes[index]!;
    return [
      { of: 'balanceOf', computed: amountOf('collateral'), contract: supplied },
      { of: 'borrowBalanceOf', computed: amountOf('debt'), contract: borrowed },
      ...held.map(({ amountRaw }, at): Verdict => {
        return { of: 'userCollateral', computed: amountRaw, contract: collaterals[at]![0] };
      }),
      { of: 'isLiquidatable', computed, contract: stated },
      { of: 'absorb', computed, contract: isAbsorbed, isLiquidation: true },
    ];
  });
};
