import { planOf, PlanBuilder, type Slot, type Outcome, type ReadPlan, type MarketRow } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { StableDebt } from './interest-math';
import type { AccountsResult } from '../reader/family';
import { poolAbi, tokenAbi } from './abi';
import type { AaveV3Market, AaveV3Reserve } from './market';

/** The balance of a wallet in one reserve, as the protocol stores it. */
export interface AaveV3Balance {
  scaledSupply: bigint;
  scaledVariableDebt: bigint;
  stableDebt: StableDebt;
}

/** A wallet in one market: the data that changes only when it (or a liquidator) acts. */
export interface AaveV3Account {
  wallet: Address;
  /** Two bits a reserve: borrowed, used as collateral. */
  userConfiguration: bigint;
  /** 0: none. */
  eModeCategory: number;
  /** By reserve id. Reserves without a balance are omitted. */
  balances: ReadonlyMap<number, AaveV3Balance>;
}

/** Plans the read of the wallets' holdings in the market's reserves. */
export function planAccounts(
  row: MarketRow,
  market: AaveV3Market,
  wallets: readonly Address[],
): ReadPlan<AccountsResult<AaveV3Account>> {
  const plan = planOf(row, 'accounts');
  const { pool, revision } = market.layout;
  const slots = wallets.map((wallet) => ({
    wallet,
    configuration: plan.call(pool, poolAbi, 'getUserConfiguration', [wallet]),
    // Pools before v3 have no e-modes.
    eMode: revision === 0n ? null : plan.call(pool, poolAbi, 'getUserEMode', [wallet]),
    balances: market.reserves.map((reserve) => addBalance(plan, reserve, wallet)),
  }));
  return plan.build(({ outcome }) => {
    const accounts = new Map<Address, AaveV3Account>();
    const failed: Address[] = [];
    for (const { wallet, configuration, eMode, balances } of slots) {
      const words = allOf([outcome(configuration), ...(eMode ? [outcome(eMode)] : [])]);
      const amounts = balances.map((balance) => ({
        id: balance.id,
        values: allOf(balance.slots.map(outcome)),
      }));
      if (!words || amounts.some(({ values }) => values === null)) {
        failed.push(wallet);
        continue;
      }
      const held = amounts
        .map(({ id, values }): [number, AaveV3Balance] => [id, toBalance(values ?? [])])
        .filter(
          ([, { scaledSupply, scaledVariableDebt, stableDebt }]) =>
            scaledSupply + scaledVariableDebt + stableDebt.principal > 0n,
        );
      const [userConfiguration = 0n, category = 0n] = words;
      accounts.set(wallet, {
        wallet,
        userConfiguration,
        eModeCategory: Number(category),
        balances: new Map(held),
      });
    }
    return { accounts, failed };
  });
}

function addBalance(
  plan: PlanBuilder,
  reserve: AaveV3Reserve,
  wallet: Address,
): { id: number; slots: Slot<bigint | number>[] } {
  const slots: Slot<bigint | number>[] = [
    plan.call(reserve.aToken, tokenAbi, 'scaledBalanceOf', [wallet]),
    plan.call(reserve.variableDebtToken, tokenAbi, 'scaledBalanceOf', [wallet]),
  ];
  if (reserve.stableDebtToken && reserve.hasStableDebt) {
    slots.push(
      plan.call(reserve.stableDebtToken, tokenAbi, 'principalBalanceOf', [wallet]),
      plan.call(reserve.stableDebtToken, tokenAbi, 'getUserStableRate', [wallet]),
      plan.call(reserve.stableDebtToken, tokenAbi, 'getUserLastUpdated', [wallet]),
    );
  }
  return { id: reserve.id, slots };
}

function toBalance(values: readonly (bigint | number)[]): AaveV3Balance {
  const [scaledSupply = 0n, scaledVariableDebt = 0n, principal = 0n, rate = 0n, since = 0n] =
    values.map(BigInt);
  return { scaledSupply, scaledVariableDebt, stableDebt: { principal, rate, since } };
}

function allOf<T>(outcomes: readonly Outcome<T>[]): T[] | null {
  const values: T[] = [];
  for (const outcome of outcomes) {
    if (!outcome.ok) return null;
    values.push(outcome.value);
  }
  return values;
}
