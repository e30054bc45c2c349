import { planOf, type BlockRef, PlanBuilder, type CallResults, lowerCase } from '@plimsoll/evm';
import type { Address } from 'viem';
import { siloDebt, siloDeposit, type SiloTotal } from './math';
import type { AccountsResult, HeldAccount, Holder, ReadScope } from '../reader/family';
import { orNull, readEach, readFurther } from '../reader/read-each';
import { PROTECTED, siloAbi as abi, readSiloPairs, type SiloPair, type SiloSide } from './layout';

/** The holdings of a wallet in one of the two silos, in assets and in the quote of its oracle. */
export interface SiloHolding {
  /** Collateral and protected deposits together. They count in the same way. */
  deposited: bigint;
  depositShares: bigint;
  debt: bigint;
  debtShares: bigint;
  depositValue: bigint;
  debtValue: bigint;
}

/** A wallet in one market that can be read. */
export interface SiloPosition {
  id: string;
  /** The side that secures the debt. Null without debt. */
  collateralSide: 0 | 1 | null;
  holdings: readonly [SiloHolding, SiloHolding];
}

/** A wallet in the markets of a factory. */
export interface SiloAccount extends HeldAccount {
  positions: readonly SiloPosition[];
  /** The ids of markets in which a silo, a share token or an oracle failed. */
  failed: readonly string[];
}

type Amounts = Omit<SiloHolding, 'depositValue' | 'debtValue'>;
type Totals = Record<'collateral' | 'protected' | 'debt', SiloTotal>;

/**
 * The holdings of wallets in the markets where they ever had shares. @param known markets read before @throws
 * ChainReadError
 */
export async function readSiloAccounts(
  scope: ReadScope,
  holders: readonly Holder[],
  block: BlockRef,
  known: ReadonlyMap<string, SiloPair>,
): Promise<AccountsResult<SiloAccount>> {
  const pairs = await pairsOf(scope, holders, block, known);
  const totals = readTotals(scope, block, [...pairs.values()]);
  const stored = await readEach(scope, 'shares', holders, block, (plan, { wallet, subIds }) => {
    const slots = subIds.map((id) => {
      const pair = pairs.get(id);
      return { id, stored: pair ? addStored(plan, pair, wallet) : () => null };
    });
    return (results) => ({
      wallet,
      markets: slots.map(({ id, stored: read }) => ({ id, market: orNull(() => read(results)) })),
    });
  });
  const bySilo = await totals;
  return readFurther(stored, (found) =>
    readEach(scope, 'quotes', found, block, (plan, { wallet, markets }) => {
      const slots = markets.map(({ id, market }) => {
        const values = pairs.get(id)?.sides.map((side, index) => {
          const totals = bySilo.get(side.silo);
          return market && totals && addValues(plan, side, amountsOf(market.shares[index]!, totals));
        });
        return { id, market, values };
      });
      return (results): SiloAccount => {
        const positions: SiloPosition[] = [];
        const failed: string[] = [];
        for (const { id, market, values: [first, second] = [] } of slots) {
          const holdings =
            first && second && orNull((): SiloPosition['holdings'] => [first(results), second(results)]);
          if (!market || !holdings) failed.push(id);
          else if (holdings.some(({ deposited, debt }) => deposited + debt > 0n))
            positions.push({ id, collateralSide: market.collateralSide, holdings });
        }
        return { wallet, keys: [...positions.map(({ id }) => id), ...failed], positions, failed };
      };
    }),
  );
}

async function pairsOf(
  scope: ReadScope,
  holders: readonly Holder[],
  block: BlockRef,
  known: ReadonlyMap<string, SiloPair>,
): Promise<ReadonlyMap<string, SiloPair>> {
  const ids = [...new Set(holders.flatMap(({ subIds }) => subIds))];
  const missing = ids.filter((id) => !known.has(id));
  const more = missing.length > 0 ? (await readSiloPairs(scope, block, missing)).pairs : [];
  return new Map([...[...known].filter(([id]) => ids.includes(id)), ...more]);
}

/** Adds the reads of a wallet's shares in a market, and of the side that secures its debt. */
function addStored(plan: PlanBuilder, { config, sides }: SiloPair, wallet: Address) {
  const solvency = plan.call(config, abi, 'getConfigsForSolvency', [wallet]);
  const shares = sides.map((side) => addShares(plan, side, wallet));
  return (results: CallResults) => {
    const silo = lowerCase(results.value(solvency)[0].silo);
    const index = sides.findIndex((side) => side.silo === silo);
    return {
      collateralSide: index < 0 ? null : (index as 0 | 1),
      shares: shares.map((own) => own(results)),
    };
  };
}

function addShares(plan: PlanBuilder, side: SiloSide, wallet: Address) {
  const slots = [side.protectedShares, side.collateralShares, side.debtShares].map((token) =>
    plan.call(token, abi, 'balanceOf', [wallet]),
  );
  return ({ value }: CallResults) => {
    const [secured, collateral, debt] = slots.map(value);
    return { secured: secured!, collateral: collateral!, debt: debt! };
  };
}

function amountsOf(own: { secured: bigint; collateral: bigint; debt: bigint }, totals: Totals): Amounts {
  return {
    deposited: siloDeposit(totals.protected, own.secured) + siloDeposit(totals.collateral, own.collateral),
    depositShares: own.secured + own.collateral,
    debt: siloDebt(totals.debt, own.debt),
    debtShares: own.debt,
  };
}

/** Adds the quotes of amounts. A side without an oracle is the currency of the market. */
function addValues(plan: PlanBuilder, { oracle, token }: SiloSide, amounts: Amounts) {
  const add = (amount: bigint): ((results: CallResults) => bigint) => {
    if (amount === 0n || !oracle) return () => amount;
    const slot = plan.call(oracle, abi, 'quote', [amount, token]);
    return ({ value }) => value(slot);
  };
  const [deposit, debt] = [add(amounts.deposited), add(amounts.debt)];
  return (results: CallResults): SiloHolding => ({
    ...amounts,
    depositValue: deposit(results),
    debtValue: debt(results),
  });
}

/** The silos return collateral and debt with interest. Protected deposits earn none. A silo that fails is omitted. */
async function readTotals(
  { row, multicall }: ReadScope,
  block: BlockRef,
  pairs: readonly SiloPair[],
): Promise<Map<Address, Totals>> {
  const plan = planOf(row, 'silo totals');
  const slots = pairs
    .flatMap(({ sides }) => sides)
    .map(({ silo, protectedShares, collateralShares, debtShares }) => ({
      silo,
      protected: [
        plan.call(silo, abi, 'getTotalAssetsStorage', [PROTECTED]),
        plan.call(protectedShares, abi, 'totalSupply', []),
      ],
      collateral: [
        plan.call(silo, abi, 'getCollateralAssets', []),
        plan.call(collateralShares, abi, 'totalSupply', []),
      ],
      debt: [plan.call(silo, abi, 'getDebtAssets', []), plan.call(debtShares, abi, 'totalSupply', [])],
    }));
  return multicall.read(
    plan.build(({ value }) => {
      const total = ([assets, shares]: (typeof slots)[number]['debt']): SiloTotal => ({
        assets: value(assets!),
        shares: value(shares!),
      });
      const read = slots.flatMap(({ silo, ...each }): [Address, Totals][] => {
        const totals = orNull(() => ({
          protected: total(each.protected),
          collateral: total(each.collateral),
          debt: total(each.debt),
        }));
        return totals ? [[silo, totals]] : [];
      });
      return new Map(read);
    }),
    block,
  );
}
