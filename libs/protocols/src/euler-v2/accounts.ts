import { type BlockRef, type PlanBuilder, contractOf, lowerCase } from '@plimsoll/evm';
import { type Address, zeroAddress } from 'viem';
import { evcAbi, vaultAbi } from './abi';
import { eulerAccountNumber, eulerAccountOf } from './math';
import type { AccountsResult, HeldAccount, Holder, ReadScope } from '../reader/family';
import { orNull, readEach, readFurther } from '../reader/read-each';

/** Shares of a vault. */
export interface EulerDeposit {
  vault: Address;
  shares: bigint;
  assets: bigint;
}

/** Shares that are enabled as collateral of a loan. */
export interface EulerSupply extends EulerDeposit {
  ltvBps: bigint;
  /** In the unit of account at the oracle's mid-point price. */
  value: bigint;
}

/** The debt of a sub-account, as its controller values it. */
export interface EulerLoan {
  controller: Address;
  unit: Address;
  oracle: Address;
  debt: bigint;
  liability: bigint;
  /** The value of all collaterals after their LTVs, as the controller states it. */
  adjusted: bigint;
  /** The largest share by which a liquidator buys collateral below its value. Basis points. */
  maxDiscountBps: bigint;
  collaterals: readonly EulerSupply[];
}

/** One of the 256 accounts of a wallet. */
export interface EulerSubAccount {
  number: number;
  /** Null without a controller. 'unreadable': a vault or an oracle of it failed. */
  loan: EulerLoan | 'unreadable' | null;
  /** Shares that secure nothing. */
  deposits: readonly EulerDeposit[];
}

/** A wallet with those of its 256 accounts that hold something. */
export interface EulerAccount extends HeldAccount {
  accounts: readonly EulerSubAccount[];
}

interface OwnAccount {
  number: number;
  account: Address;
  controller: Address | null;
  /** Vaults in which it may have shares. The loan counts the enabled ones. */
  enabled: readonly Address[];
  received: readonly Address[];
}

/**
 * The sub-accounts of the wallets: debts and collateral as their controllers value them for a liquidation, and the shares
 * that are not collateral of a loan.
 */
export async function readEulerAccounts(
  scope: ReadScope,
  holders: readonly Holder[],
  block: BlockRef,
): Promise<AccountsResult<EulerAccount>> {
  const own = await readOwnAccounts(scope, holders, block);
  const valued = await readFurther(own, (found) =>
    readEach(scope, 'liquidity of accounts', found, block, (plan, { wallet, accounts }) => {
      const slots = accounts.map((each) => ({ ...each, liquidity: addLiquidity(plan, each) }));
      return (results) => ({
        wallet,
        accounts: slots.map(({ liquidity, ...each }) => ({
          ...each,
          liquidity: liquidity && (orNull(() => liquidity(results)) ?? ('unreadable' as const)),
        })),
      });
    }),
  );
  const held = await readFurther(valued, (found) =>
    readEach(scope, 'shares of accounts', found, block, (plan, { wallet, accounts }) => {
      const slots = accounts.map(({ account, number, enabled, received, liquidity }) => {
        const collaterals = liquidity === null || liquidity === 'unreadable' ? [] : liquidity.supplies;
        const secured = new Set(collaterals.map(({ vault }) => vault));
        const others = new Set(liquidity === null ? [...enabled, ...received] : received);
        return {
          number,
          liquidity,
          supplies: collaterals.map((supply) => ({
            ...supply,
            shares: plan.call(supply.vault, vaultAbi, 'balanceOf', [account]),
            ltv:
              liquidity === null || liquidity === 'unreadable'
                ? null
                : plan.call(liquidity.controller, vaultAbi, 'LTVLiquidation', [supply.vault]),
          })),
          others: [...others]
            .filter((vault) => !secured.has(vault))
            .map((vault) => ({ vault, shares: plan.call(vault, vaultAbi, 'balanceOf', [account]) })),
        };
      });
      return ({ value, outcome }) => ({
        wallet,
        accounts: slots.map(({ number, liquidity, supplies, others }) => ({
          number,
          liquidity,
          supplies: orNull(() =>
            supplies
              .map(({ vault, shares, ltv }) => ({
                vault,
                shares: value(shares),
                ltvBps: ltv ? BigInt(value(ltv)) : 0n,
              }))
              .filter(({ shares }) => shares > 0n),
          ),
          others: others.flatMap(({ vault, shares }) => {
            const balance = outcome(shares);
            return balance.ok && balance.value > 0n ? [{ vault, shares: balance.value }] : [];
          }),
        })),
      });
    }),
  );
  return readFurther(held, (found) =>
    readEach(scope, 'values of accounts', found, block, (plan, { wallet, accounts }) => {
      const slots = accounts.map(({ number, liquidity, supplies, others }) => ({
        number,
        loan:
          liquidity === null
            ? null
            : liquidity === 'unreadable' || supplies === null
              ? ('unreadable' as const)
              : addLoan(plan, liquidity, supplies),
        others: others.map((each) => ({ ...each, assets: addAssets(plan, each) })),
      }));
      return (results): EulerAccount => {
        const read = slots.map(({ number, loan, others }): EulerSubAccount => ({
          number,
          loan: typeof loan === 'function' ? (orNull(() => loan(results)) ?? 'unreadable') : loan,
          deposits: others.map(({ vault, shares, assets }) => ({ vault, shares, assets: assets(results) })),
        }));
        const accountsHeld = read.filter(({ loan, deposits }) => isHeld(loan) || deposits.length > 0);
        return { wallet, keys: accountsHeld.flatMap(keysOf), accounts: accountsHeld };
      };
    }),
  );
}

/** Whether a loan has a debt or collateral, or may have some. */
export function isHeld(loan: EulerSubAccount['loan']): boolean {
  return loan !== null && (loan === 'unreadable' || loan.debt > 0n || loan.collaterals.length > 0);
}

function keysOf({ loan, deposits }: EulerSubAccount): Address[] {
  const own =
    loan === null || loan === 'unreadable'
      ? []
      : [loan.controller, loan.unit, ...loan.collaterals.map(({ vault }) => vault)];
  return [...own, ...deposits.map(({ vault }) => vault)];
}

type Liquidity = Omit<EulerLoan, 'collaterals'> & {
  supplies: readonly { vault: Address }[];
};

function addLiquidity(plan: PlanBuilder, { account, controller }: OwnAccount) {
  if (!controller) return null;
  const slots = {
    debt: plan.call(controller, vaultAbi, 'debtOf', [account]),
    oracle: plan.call(controller, vaultAbi, 'oracle', []),
    unit: plan.call(controller, vaultAbi, 'unitOfAccount', []),
    maxDiscount: plan.call(controller, vaultAbi, 'maxLiquidationDiscount', []),
    liquidity: plan.call(controller, vaultAbi, 'accountLiquidityFull', [account, true]),
  };
  return ({ value, outcome }: Results): Liquidity => {
    const [collaterals, adjusted, liability] = value(slots.liquidity);
    const discount = outcome(slots.maxDiscount);
    return {
      controller,
      oracle: lowerCase(value(slots.oracle)),
      unit: lowerCase(value(slots.unit)),
      debt: value(slots.debt),
      liability,
      maxDiscountBps: discount.ok ? BigInt(discount.value) : 0n,
      adjusted: adjusted.reduce((sum, value) => sum + value, 0n),
      supplies: collaterals.map((vault) => ({ vault: lowerCase(vault) })),
    };
  };
}

type Results = Parameters<Parameters<PlanBuilder['build']>[0]>[0];

/**
 * Liquidations value collateral by getQuote, the mid-point, before the LTV. The bid of getQuotes decides only about new
 * loans. Source: euler-vault-kit, LiquidityUtils.sol, getCollateralValue.
 */
function addLoan(
  plan: PlanBuilder,
  { supplies: _ofContract, ...loan }: Liquidity,
  supplies: readonly Omit<EulerSupply, 'assets' | 'value'>[],
) {
  const slots = supplies.map((supply) => ({
    supply,
    assets: addAssets(plan, supply),
    quote: plan.call(loan.oracle, vaultAbi, 'getQuote', [supply.shares, supply.vault, loan.unit]),
  }));
  return (results: Results): EulerLoan => ({
    ...loan,
    collaterals: slots.map(({ supply, assets, quote }) => ({
      ...supply,
      assets: assets(results),
      // A vault without an LTV counts as zero, and its price may be unknown.
      value: supply.ltvBps > 0n ? results.value(quote) : 0n,
    })),
  });
}

/** A collateral that is no vault counts its own tokens. */
function addAssets(plan: PlanBuilder, { vault, shares }: { vault: Address; shares: bigint }) {
  const slot = plan.call(vault, vaultAbi, 'convertToAssets', [shares]);
  return ({ outcome }: Results): bigint => {
    const converted = outcome(slot);
    return converted.ok ? converted.value : shares;
  };
}

/**
 * The wallet's own sub-accounts. The index has their last byte, with the vault where it received shares. The EVC
 * registers an owner with its first call, so an account without one is its own owner.
 */
function readOwnAccounts(scope: ReadScope, holders: readonly Holder[], block: BlockRef) {
  const evc = contractOf(scope.row, 'evc');
  return readEach(scope, 'accounts', holders, block, (plan, { wallet, subIds }) => {
    const received = new Map<string, Address[]>();
    for (const subId of subIds) {
      const [lastByte, vault] = subId.split(' ') as [string, Address | undefined];
      received.set(lastByte, [...(received.get(lastByte) ?? []), ...(vault ? [vault] : [])]);
    }
    const slots = [...received].map(([lastByte, vaults]) => {
      const account = eulerAccountOf(wallet, lastByte);
      return {
        account,
        received: vaults,
        number: eulerAccountNumber(wallet, lastByte),
        owner: plan.call(evc, evcAbi, 'getAccountOwner', [account]),
        controllers: plan.call(evc, evcAbi, 'getControllers', [account]),
        enabled: plan.call(evc, evcAbi, 'getCollaterals', [account]),
      };
    });
    return ({ value }) => ({
      wallet,
      accounts: slots.flatMap(({ owner, controllers, enabled, ...each }): OwnAccount[] => {
        const registered = lowerCase(value(owner));
        const isOwn = registered === wallet || (registered === zeroAddress && each.account === wallet);
        const [controller] = value(controllers);
        const collaterals = value(enabled).map(lowerCase);
        return isOwn
          ? [{ ...each, controller: controller ? lowerCase(controller) : null, enabled: collaterals }]
          : [];
      }),
    });
  });
}
