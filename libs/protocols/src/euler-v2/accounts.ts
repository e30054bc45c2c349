import { type BlockRef, type PlanBuilder, readCall, contractOf, lowerCase } from '@plimsoll/evm';
import type { Address } from 'viem';
import { eulerAccountNumber, eulerAccountOf } from './math';
import type { AccountsResult, HeldAccount, Holder, ReadScope } from '../reader/family';
import { readEach, readFurther } from '../reader/read-each';
import { evcAbi, vaultAbi } from './abi';

/** One sub-account that a vault controls, as the vault and its oracle value it. */
export interface EulerLoan {
  number: number;
  controller: Address;
  unit: Address;
  oracle: Address;
  debt: bigint;
  liability: bigint;
  collaterals: readonly EulerSupply[];
}

/** Shares of a vault that are enabled as collateral. */
export interface EulerSupply {
  vault: Address;
  shares: bigint;
  assets: bigint;
  ltvBps: bigint;
  /** In the unit of account, and after the LTV with the contract's rounding. */
  value: bigint;
  adjusted: bigint;
}

/** A wallet with those of its 256 accounts that a vault controls. */
export interface EulerAccount extends HeldAccount {
  loans: readonly EulerLoan[];
}

interface Controlled {
  number: number;
  account: Address;
  controller: Address;
}

/**
 * The holdings of the sub-accounts that a vault controls. The others have no debt and no unit of account.
 */
export async function readEulerAccounts(
  scope: ReadScope,
  holders: readonly Holder[],
  block: BlockRef,
): Promise<AccountsResult<EulerAccount>> {
  const controlled = await readControlled(scope, holders, block);
  const valued = await readFurther(controlled, (found) =>
    readEach(scope, 'liquidity of accounts', found, block, (plan, { wallet, accounts }) => {
      const slots = accounts.map((each) => addLiquidity(plan, each));
      return ({ value }) => ({
        wallet,
        loans: slots.map(({ account, number, controller, ...slot }) => {
          const [collaterals, adjusted, liability] = value(slot.liquidity);
          const supplies = collaterals.map((vault, index) => ({
            vault: lowerCase(vault),
            adjusted: adjusted[index]!,
          }));
          const [oracle, unit] = [lowerCase(value(slot.oracle)), lowerCase(value(slot.unit))];
          return { account, number, controller, oracle, unit, debt: value(slot.debt), liability, supplies };
        }),
      });
    }),
  );
  const held = await readFurther(valued, (found) =>
    readEach(scope, 'shares of accounts', found, block, (plan, { wallet, loans }) => {
      const slots = loans.map(({ supplies, ...loan }) => ({
        ...loan,
        supplies: supplies.map((supply) => ({
          ...supply,
          shares: plan.add(readCall(supply.vault, vaultAbi, 'balanceOf', [loan.account])),
          ltv: plan.add(readCall(loan.controller, vaultAbi, 'LTVLiquidation', [supply.vault])),
        })),
      }));
      return ({ value }) => ({
        wallet,
        loans: slots.map(({ supplies, ...loan }) => ({
          ...loan,
          supplies: supplies
            .map(({ shares, ltv, ...supply }) => ({
              ...supply,
              shares: value(shares),
              ltvBps: BigInt(value(ltv)),
            }))
            .filter(({ shares }) => shares > 0n),
        })),
      });
    }),
  );
  return readFurther(held, (found) =>
    readEach(scope, 'values of accounts', found, block, (plan, { wallet, loans }) => {
      const slots = loans.map(({ supplies, ...loan }) => ({
        loan,
        supplies: supplies.map((supply) => ({
          supply,
          assets: plan.add(readCall(supply.vault, vaultAbi, 'convertToAssets', [supply.shares])),
          quote: plan.add(
            readCall(loan.oracle, vaultAbi, 'getQuotes', [supply.shares, supply.vault, loan.unit]),
          ),
        })),
      }));
      return ({ value, outcome }): EulerAccount => {
        const read = slots.map(({ loan, supplies }): EulerLoan => {
          const collaterals = supplies.map(({ supply, assets, quote }): EulerSupply => {
            const converted = outcome(assets);
            const underlying = converted.ok ? converted.value : supply.shares;
            // A vault without an LTV counts as zero, and its price may be unknown.
            const bid = supply.ltvBps > 0n ? value(quote)[0] : 0n;
            return { ...supply, assets: underlying, value: bid };
          });
          return { ...loan, collaterals };
        });
        const keys = read.flatMap(({ controller, unit, collaterals }) => [
          controller,
          unit,
          ...collaterals.map(({ vault }) => vault),
        ]);
        return { wallet, keys, loans: read };
      };
    }),
  );
}

function addLiquidity(plan: PlanBuilder, { account, number, controller }: Controlled) {
  return {
    account,
    number,
    controller,
    debt: plan.add(readCall(controller, vaultAbi, 'debtOf', [account])),
    oracle: plan.add(readCall(controller, vaultAbi, 'oracle', [])),
    unit: plan.add(readCall(controller, vaultAbi, 'unitOfAccount', [])),
    liquidity: plan.add(readCall(controller, vaultAbi, 'accountLiquidityFull', [account, true])),
  };
}

/** The wallet's own sub-accounts with a controller. The index has their last byte. */
function readControlled(scope: ReadScope, holders: readonly Holder[], block: BlockRef) {
  const evc = contractOf(scope.row, 'evc');
  return readEach(scope, 'accounts', holders, block, (plan, { wallet, subIds }) => {
    const slots = subIds.map((lastByte) => {
      const account = eulerAccountOf(wallet, lastByte);
      return {
        account,
        number: eulerAccountNumber(wallet, lastByte),
        owner: plan.add(readCall(evc, evcAbi, 'getAccountOwner', [account])),
        controllers: plan.add(readCall(evc, evcAbi, 'getControllers', [account])),
      };
    });
    return ({ value }) => ({
      wallet,
      accounts: slots.flatMap(({ account, number, owner, controllers }): Controlled[] => {
        const [controller] = value(controllers);
        const isOwn = lowerCase(value(owner)) === wallet;
        return isOwn && controller ? [{ account, number, controller: lowerCase(controller) }] : [];
      }),
    });
  });
}
