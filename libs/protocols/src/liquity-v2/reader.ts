import { planOf, type BlockRef, lowerCase } from '@plimsoll/evm';
import { slice, type Address } from 'viem';
import { WAD } from '../fixed-point/math';
import { liquityV2Figures } from './math';
import { troveHealthFactor, type Trove } from '../liquity-v1/math';
import type { Family, HeldAccount, IndexSource } from '../reader/family';
import { collateralLeg, debtLeg, dollarToken, positionBase, unreadablePosition } from '../reader/legs';
import { mintedTotals, toUsd } from '../reader/market-totals';
import type { PositionFlag, RawPosition } from '../reader/raw-position';
import { readEach } from '../reader/read-each';
import { addUsdPrice } from '../reader/usd-price';
import {
  TRANSFER,
  liquityV2Abi as abi,
  readLiquityV2Layout,
  type LiquityV2Layout,
  addBranchPrice,
} from './layout';

const PRICE_DECIMALS = 18;

interface BranchState {
  /** Null if the branch cannot be read: its troves are unreadable, and no others. */
  price: bigint | null;
  isShutDown: boolean;
  /**
   * Troves that the next redemption uses: the one that remains from the last, and the one with the lowest
   * rate.
   */
  next: ReadonlySet<bigint>;
}

interface LiquityV2Market {
  layout: LiquityV2Layout;
  block: BlockRef;
  branches: readonly BranchState[];
  /** The market price of the debt token in dollars, wad. Null if no oracle of the chain has it. */
  debtUsd: bigint | null;
}

interface HeldTrove extends Trove {
  branch: number;
  id: bigint;
  /** Debt without the interest since it was last written down. */
  recordedDebt: bigint;
}

interface TrovesAccount extends HeldAccount {
  troves: readonly HeldTrove[];
  /** The sub-ids of troves that their branch cannot state. */
  failed: readonly string[];
}

/**
 * Liquity v2 and its forks: one row is a collateral registry. A sub-id is `<branch>:<trove id>`, found by the
 * transfers of trove NFTs. Redistributions and redemptions change troves without naming their owners. If the
 * row names no price feed of a branch, its redemption price is used and figures are approximate.
 */
export const liquityV2: Family<LiquityV2Layout, LiquityV2Market, TrovesAccount> = {
  readLayout: readLiquityV2Layout,

  async readMarket({ row, multicall, usdOracles }, layout, block) {
    const plan = planOf(row, 'prices');
    const count = plan.call(layout.registry, abi, 'totalCollaterals', []);
    const debtUsd = addUsdPrice(plan, usdOracles, layout.debt.address);
    const slots = layout.branches.map(({ troveManager, sortedTroves, priceFeed }) => ({
      price: addBranchPrice(plan, troveManager, priceFeed),
      shutdown: plan.call(troveManager, abi, 'shutdownTime', []),
      zombie: plan.call(troveManager, abi, 'lastZombieTroveId', []),
      last: plan.call(sortedTroves, abi, 'getLast', []),
    }));
    return multicall.read(
      plan.build((results) => {
        const { value, outcome } = results;
        if (Number(value(count)) !== layout.branches.length) return null;
        const branches = slots.map(({ price, shutdown, zombie, last }): BranchState => {
          const ids = [outcome(zombie), outcome(last)].flatMap((each) => (each.ok ? [each.value] : []));
          const shutDownAt = outcome(shutdown);
          const isShutDown = shutDownAt.ok && shutDownAt.value > 0n;
          return { price: shutDownAt.ok ? price(results) : null, isShutDown, next: new Set(ids) };
        });
        return { layout, block, branches, debtUsd: debtUsd(results) };
      }),
      block,
    );
  },

  async readAccounts(scope, holders, block, market) {
    const { branches } = (await market()).layout;
    return readEach(scope, 'trove owners', holders, block, (plan, { wallet, subIds }) => {
      const slots = subIds.map((subId) => {
        const { branch, id } = troveOf(subId);
        const { troveManager, troveNft } = branches[branch]!;
        return {
          subId,
          branch,
          id,
          owner: plan.call(troveNft, abi, 'ownerOf', [id]),
          data: plan.call(troveManager, abi, 'getLatestTroveData', [id]),
        };
      });
      return ({ outcome }): TrovesAccount => {
        const troves: HeldTrove[] = [];
        const failed: string[] = [];
        for (const { subId, branch, id, owner, data } of slots) {
          const [holder, state] = [outcome(owner), outcome(data)];
          if (holder.ok && lowerCase(holder.value) !== wallet) continue;
          if (!state.ok) {
            // The NFT of a closed trove is burnt; an open one has an owner.
            if (holder.ok) failed.push(subId);
            continue;
          }
          const { entireDebt: debt, entireColl: collateral, recordedDebt, redistBoldDebtGain } = state.value;
          if (debt + collateral === 0n) continue;
          if (holder.ok)
            troves.push({ branch, id, debt, collateral, recordedDebt: recordedDebt + redistBoldDebtGain });
          else failed.push(subId);
        }
        return { wallet, troves, failed };
      };
    });
  },

  evaluate(row, { layout, block, branches, debtUsd }, { wallet, troves, failed }) {
    const positions = failed.map((subId): RawPosition => unreadablePosition(row, block, wallet, subId));
    for (const { branch, id, recordedDebt, ...trove } of troves) {
      const { collateral: token, minimumRatio, priceFeed, troveManager } = layout.branches[branch]!;
      const { price, isShutDown, next } = branches[branch]!;
      const subId = `${branch}:${id}`;
      if (price === null) {
        positions.push(unreadablePosition(row, block, wallet, subId));
        continue;
      }
      const { collateralValue, healthFactor } = liquityV2Figures(trove, price, minimumRatio);
      const oracle = priceFeed ?? troveManager;
      const priced = { priceDecimals: PRICE_DECIMALS, oracle };
      const flags: PositionFlag[] = [];
      if (next.has(id)) flags.push('redemption');
      if (isShutDown) flags.push('shutdown');
      const threshold = (WAD * 10_000n) / minimumRatio;
      positions.push({
        ...positionBase(row, block, wallet, subId),
        legs: [
          collateralLeg({ ...token, ...priced, priceRaw: price }, { amountRaw: trove.collateral }, threshold),
          debtLeg(dollarToken(layout.debt, oracle, debtUsd), {
            amountRaw: trove.debt,
            scaledRaw: recordedDebt,
          }),
        ],
        totalCollateralRaw: collateralValue,
        totalDebtRaw: trove.debt,
        priceDecimals: PRICE_DECIMALS,
        usdPerBaseRaw: WAD,
        healthFactorRaw: healthFactor,
        flags,
        ...(priceFeed === null && { verification: 'approximate' as const }),
      });
    }
    return positions;
  },

  planTotals({ row }, { layout, block, branches, debtUsd }) {
    const plan = planOf(row, 'totals');
    const slots = layout.branches.map(({ troveManager }) => ({
      collateral: plan.call(troveManager, abi, 'getEntireBranchColl', []),
      debt: plan.call(troveManager, abi, 'getEntireBranchDebt', []),
    }));
    return plan.build(({ value }) => {
      // A branch without a price counts only for its debt, because the value of its collateral is unknown.
      const markets = slots.map(({ collateral, debt }, index) => {
        const usdValue = (value(collateral) * (branches[index]!.price ?? 0n)) / WAD;
        return {
          collateralUsd: toUsd(usdValue, PRICE_DECIMALS, WAD),
          debtUsd: toUsd(value(debt), PRICE_DECIMALS, debtUsd ?? WAD),
        };
      });
      return mintedTotals(markets, block.number);
    });
  },

  planFigures({ row }, { layout, branches }, positions) {
    const plan = planOf(row, 'ratios');
    const slots = positions.map(({ subId }) => {
      const { branch, id } = troveOf(subId);
      const { troveManager, minimumRatio, priceFeed } = layout.branches[branch]!;
      const ratio = plan.call(troveManager, abi, 'getCurrentICR', [id, branches[branch]!.price ?? 0n]);
      return { ratio, minimumRatio, isApproximate: priceFeed === null };
    });
    return plan.build(({ outcome }) =>
      slots.map(({ ratio, minimumRatio, isApproximate }, index) => {
        const result = outcome(ratio);
        if (!result.ok) return result;
        // The ratio of a trove whose debt was redeemed completely is the largest integer.
        const healthFactor =
          positions[index]!.totalDebtRaw === 0n ? null : troveHealthFactor(result.value, minimumRatio);
        return { ok: true, value: { healthFactor, ...(isApproximate && { isApproximate }) } };
      }),
    );
  },

  async index(scope, block) {
    const { branches } = await readLiquityV2Layout(scope, block);
    const branchOf = new Map(branches.map(({ troveNft }, index): [Address, number] => [troveNft, index]));
    const source: IndexSource = {
      addresses: [...branchOf.keys()],
      topics: [TRANSFER],
      entriesOf: ({ address, topics }) => {
        const branch = branchOf.get(lowerCase(address));
        const [, , to, id] = topics;
        if (branch === undefined || !to || !id) return [];
        return [{ wallet: slice(to, 12), subId: `${branch}:${BigInt(id)}` }];
      },
    };
    return [source];
  },
};

function troveOf(subId: string): { branch: number; id: bigint } {
  const [branch, id] = subId.split(':') as [string, string];
  return { branch: Number(branch), id: BigInt(id) };
}
