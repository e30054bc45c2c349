import { PlanBuilder, readCall } from '@plimsoll/evm';
import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem';
import type { RawLeg } from '../reader/raw-position';
import {
  type ExecutionFamily,
  type FamilyScope,
  type PermitCall,
  type PositionActions,
  contractOf,
  optionalContractOf,
  plannedCall,
} from '../execution/execution-family';
import { amountOf } from '../execution/format-amount';

const abi = parseAbi([
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; address stableDebtTokenAddress; address variableDebtTokenAddress; address interestRateStrategyAddress; uint128 accruedToTreasury; uint128 unbacked; uint128 isolationModeTotalDebt; }',
  'function ADDRESSES_PROVIDER() view returns (address)',
  'function getPool() view returns (address)',
  'function getReserveData(address asset) view returns (ReserveData)',
  'function balanceOf(address account) view returns (uint256)',
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

async function readPool({ row, multicall, block }: FamilyScope): Promise<Address> {
  const subject = `pool of ${row.protocol} ${row.market}`;
  const read = async (target: Address, name: 'getPool' | 'ADDRESSES_PROVIDER'): Promise<Address> => {
    const plan = new PlanBuilder(row.chainId, subject);
    const slot = plan.add(readCall(target, abi, name, []));
    return multicall.read(
      plan.build(({ value }) => value(slot)),
      block,
    );
  };
  const provider = optionalContractOf(row.contracts, 'addressesProvider');
  if (provider) return read(provider, 'getPool');
  return read(await read(contractOf(row, 'protocolDataProvider'), 'ADDRESSES_PROVIDER'), 'getPool');
}

async function readDebts(scope: FamilyScope, pool: Address): Promise<Map<Address, RateDebts>> {
  const { row, multicall, block, position } = scope;
  const owed = position.legs.filter(({ side }) => side === 'debt');
  const plan = new PlanBuilder(row.chainId, `debt tokens of ${row.protocol} ${row.market}`);
  const slots = owed.map(({ address }) => plan.add(readCall(pool, abi, 'getReserveData', [address])));
  const reserves = await multicall.read(
    plan.build(({ value }) => slots.map(value)),
    block,
  );
  const balances = new PlanBuilder(row.chainId, `debts on ${row.protocol} ${row.market}`);
  const balanceOf = (token: Address) =>
    token === zeroAddress ? null : balances.add(readCall(token, abi, 'balanceOf', [position.wallet]));
  const pairs = reserves.map(({ stableDebtTokenAddress, variableDebtTokenAddress }) => ({
    stable: balanceOf(stableDebtTokenAddress),
    variable: balanceOf(variableDebtTokenAddress),
  }));
  const debts = await multicall.read(
    balances.build(({ value }) =>
      pairs.map(({ stable, variable }) => ({
        stable: stable ? value(stable) : 0n,
        variable: variable ? value(variable) : 0n,
      })),
    ),
    block,
  );
  return new Map(owed.map(({ address }, index) => [address, debts[index]!]));
}
