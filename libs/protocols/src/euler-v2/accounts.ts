import { type BlockRef, type PlanBuilder, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { type Address, parseAbi, toEventSelector, maxUint256 } from 'viem';
import { eulerAccountNumber, eulerAccountOf } from './math';
import type { AccountsResult, HeldAccount, Holder, ReadScope, RowScope } from '../reader/family';
import { readEach, readFurther } from '../reader/read-each';

/** The Ethereum Vault Connector: the owner of an account, and its enabled vaults. */
export const evcAbi = parseAbi([
  'function getAccountOwner(address account) view returns (address)',
  'function getCollaterals(address account) view returns (address[])',
  'function getControllers(address account) view returns (address[])',
]);

const factoryAbi = parseAbi([
  'function getProxyListSlice(uint256 start, uint256 end) view returns (address[] list)',
]);

/** An EVault, and the oracle that it names (euler-xyz/euler-vault-kit). */
export const vaultAbi = parseAbi([
  'function asset() view returns (address)',
  'function totalAssets() view returns (uint256)',
  'function totalBorrows() view returns (uint256)',
  'function oracle() view returns (address)',
  'function unitOfAccount() view returns (address)',
  'function debtOf(address account) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function LTVLiquidation(address collateral) view returns (uint16)',
  'function maxLiquidationDiscount() view returns (uint16)',
  'function accountLiquidityFull(address account, bool liquidation) view returns (address[] collaterals, uint256[] collateralValues, uint256 liabilityValue)',
  'function getQuotes(uint256 inAmount, address base, address quote) view returns (uint256 bidOutAmount, uint256 askOutAmount)',
]);

/** One sub-account that a vault controls, as the vault and its oracle value it. */
export interface EulerLoan {
  number: number;
  controller: Address;
  unit: Address;
  oracle: Address;
  debt: bigint;
  liability: bigint;
  /** The largest share by which a liquidator buys collateral below its value. Basis points. */
  maxDiscountBps: bigint;
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
      return ({ value, outcome }) => ({
        wallet,
        loans: slots.map(({ account, number, controller, ...slot }) => {
          const [collaterals, adjusted, liability] = value(slot.liquidity);
          const supplies = collaterals.map((vault, index) => ({
            vault: lowerCase(vault),
            adjusted: adjusted[index]!,
          }));
          const [oracle, unit] = [lowerCase(value(slot.oracle)), lowerCase(value(slot.unit))];
          const discount = outcome(slot.maxDiscount);
          const maxDiscountBps = discount.ok ? BigInt(discount.value) : 0n;
          const debt = value(slot.debt);
          return { account, number, controller, oracle, unit, debt, liability, maxDiscountBps, supplies };
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
          shares: plan.call(supply.vault, vaultAbi, 'balanceOf', [loan.account]),
          ltv: plan.call(loan.controller, vaultAbi, 'LTVLiquidation', [supply.vault]),
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
          assets: plan.call(supply.vault, vaultAbi, 'convertToAssets', [supply.shares]),
          quote: plan.call(loan.oracle, vaultAbi, 'getQuotes', [supply.shares, supply.vault, loan.unit]),
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
    debt: plan.call(controller, vaultAbi, 'debtOf', [account]),
    oracle: plan.call(controller, vaultAbi, 'oracle', []),
    unit: plan.call(controller, vaultAbi, 'unitOfAccount', []),
    maxDiscount: plan.call(controller, vaultAbi, 'maxLiquidationDiscount', []),
    liquidity: plan.call(controller, vaultAbi, 'accountLiquidityFull', [account, true]),
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
        owner: plan.call(evc, evcAbi, 'getAccountOwner', [account]),
        controllers: plan.call(evc, evcAbi, 'getControllers', [account]),
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

/** Events of the EVC that name an account which may hold something in a vault. */
export const ACCOUNT_TOPICS = [
  toEventSelector('CollateralStatus(address,address,bool)'),
  toEventSelector('ControllerStatus(address,address,bool)'),
];

/** The vaults that the factory created. @throws ChainReadError */
export async function readVaults(scope: RowScope, block: BlockRef): Promise<Address[]> {
  const vaults = await readAll(scope, 'vaults', block, (plan) =>
    plan.call(contractOf(scope.row, 'eVaultFactory'), factoryAbi, 'getProxyListSlice', [0n, maxUint256]),
  );
  return vaults.map(lowerCase);
}
