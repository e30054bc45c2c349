import { readAll } from '@plimsoll/evm';
import { encodeFunctionData, erc20Abi, parseAbi, zeroAddress, type Address } from 'viem';
import {
  plannedCall,
  type ExecutionFamily,
  type FamilyScope,
  type PermitCall,
  type PositionActions,
} from '../execution/execution-family';
import { amountOf } from '../execution/format-amount';
import type { RawLeg } from '../reader/raw-position';
import { poolAbi } from './abi';
import { V3_CALLS, resolveProvider } from './layout';

const abi = parseAbi([
  'function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)',
  'function repayWithPermit(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS) returns (uint256)',
  'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
]);

const STABLE = 1n;
const VARIABLE = 2n;
const ZERO_WORD = `0x${'0'.repeat(64)}` as const;
/** The selector, then one word for each argument before v. */
const PERMIT_V_AT = 4 + 5 * 32;

/** Debt of one asset at each kind of rate. */
interface RateDebts {
  stable: bigint;
  variable: bigint;
}

/** Aave v3 and its forks. */
export const aaveV3Execution: ExecutionFamily = {
  async actionsOf(scope) {
    const pool = await readPool(scope);
    const debts = await readDebts(scope, pool);
    return poolActions(pool, `${scope.protocolName} Pool`, scope.position.wallet, debts);
  },
};

function poolActions(
  pool: Address,
  poolName: string,
  wallet: Address,
  debts: ReadonlyMap<Address, RateDebts>,
): PositionActions {
  const repayAt = (debt: RawLeg, amountRaw: bigint, mode: bigint) =>
    plannedCall(
      `Repay ${amountOf(debt, amountRaw)} to ${poolName}`,
      pool,
      encodeFunctionData({ abi, functionName: 'repay', args: [debt.address, amountRaw, mode, wallet] }),
    );
  return {
    spenderOf: () => pool,
    contractName: () => poolName,
    repay: (debt, amountRaw) => {
      const { variable } = debts.get(debt.address) ?? { variable: 0n };
      const atVariable = amountRaw < variable ? amountRaw : variable;
      const atStable = amountRaw - atVariable;
      return [
        ...(atVariable > 0n ? [repayAt(debt, atVariable, VARIABLE)] : []),
        ...(atStable > 0n ? [repayAt(debt, atStable, STABLE)] : []),
      ];
    },
    withdraw: (collateral, amountRaw) => [
      plannedCall(
        `Withdraw ${amountOf(collateral, amountRaw)} from ${poolName}`,
        pool,
        encodeFunctionData({ abi, functionName: 'withdraw', args: [collateral.address, amountRaw, wallet] }),
      ),
    ],
    repayWithPermit: (debt, amountRaw, deadline): PermitCall | null => {
      const { address } = debt;
      // A permit covers one call. A debt at both rates needs two.
      if ((debts.get(address)?.variable ?? 0n) < amountRaw) return null;
      const args = [address, amountRaw, VARIABLE, wallet, deadline, 0, ZERO_WORD, ZERO_WORD] as const;
      return {
        ...plannedCall(
          `Repay ${amountOf(debt, amountRaw)} to ${poolName} with a permit`,
          pool,
          encodeFunctionData({ abi, functionName: 'repayWithPermit', args }),
        ),
        signatureAt: { v: PERMIT_V_AT, r: PERMIT_V_AT + 32, s: PERMIT_V_AT + 64 },
      };
    },
  };
}

async function readPool(scope: FamilyScope): Promise<Address> {
  const provider = await resolveProvider(scope, scope.block);
  return readAll(scope, 'pool', scope.block, (plan) => V3_CALLS.addPool(plan, provider));
}

async function readDebts(scope: FamilyScope, pool: Address): Promise<Map<Address, RateDebts>> {
  const { block, position } = scope;
  const owed = position.legs.filter(({ side }) => side === 'debt');
  const reserves = await readAll(scope, 'debt tokens', block, (plan) =>
    owed.map(({ address }) => plan.call(pool, poolAbi, 'getReserveData', [address])),
  );
  const debts = await readAll(scope, 'debts', block, (plan) => {
    const balanceOf = (token: Address) =>
      token === zeroAddress ? 0n : plan.call(token, erc20Abi, 'balanceOf', [position.wallet]);
    return reserves.map(({ stableDebtTokenAddress, variableDebtTokenAddress }) => ({
      stable: balanceOf(stableDebtTokenAddress),
      variable: balanceOf(variableDebtTokenAddress),
    }));
  });
  return new Map(owed.map(({ address }, index) => [address, debts[index]!]));
}
