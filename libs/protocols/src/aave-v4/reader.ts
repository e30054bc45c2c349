import { planOf, walletEvents, type BlockRef, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { maxUint256, parseAbi, type Address } from 'viem';
import { PERCENTAGE_FACTOR, RAY, WAD } from '../fixed-point/math';
import { aaveV4AccountTotals, aaveV4Debt } from './math';
import type { Family } from '../reader/family';
import { collateralLeg, debtLeg, lentLeg, positionBase } from '../reader/legs';
import { toUsd, totalsOf } from '../reader/market-totals';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { readSymbols, type Token } from '../reader/tokens';
import { hubAbi, oracleAbi, spokeAbi as abi, readAaveV4Accounts, type AaveV4Account } from './accounts';

/**
 * A user receives shares by a supply, also one that another wallet pays, or as a liquidator who takes the
 * seized collateral in shares.
 */
const OPENING_EVENTS = walletEvents(
  parseAbi([
    'event Supply(uint256 indexed reserveId, address indexed caller, address indexed user, uint256 suppliedShares, uint256 suppliedAmount)',
    'event LiquidationCall(uint256 indexed collateralReserveId, uint256 indexed debtReserveId, address indexed user, address liquidator, bool receiveShares, uint256 debtAmountRestored, uint256 drawnSharesLiquidated, (int256 sharesDelta, int256 offsetRayDelta, uint256 restoredPremiumRay) premiumDelta, uint256 collateralAmountRemoved, uint256 collateralSharesLiquidated, uint256 collateralSharesToLiquidator)',
  ]),
  { Supply: [3], LiquidationCall: [{ word: 0 }] },
);
const PRICE_DECIMALS = 8;
/** An amount with 18 decimals times a price of 8. */
const VALUE_DECIMALS = 26;

interface AaveV4Layout {
  spoke: Address;
  oracle: Address;
  reserves: readonly { token: Token; hub: Address; assetId: bigint }[];
}

interface AaveV4Market {
  layout: AaveV4Layout;
  block: BlockRef;
  /** By reserve id. Null if a price or an index cannot be read. */
  states: readonly ({ price: bigint; drawnIndex: bigint } | null)[];
}

/** Aave v4: one row is one spoke, with one position of each wallet. The lent tokens are in hubs. */
export const aaveV4: Family<AaveV4Layout, AaveV4Market, AaveV4Account> = {
  async readLayout(scope, block) {
    const { row, multicall } = scope;
    const spoke = contractOf(row, 'spoke');
    const entry = planOf(row, 'spoke');
    const slots = {
      oracle: entry.call(spoke, abi, 'ORACLE', []),
      count: entry.call(spoke, abi, 'getReserveCount', []),
    };
    const { oracle, count } = await multicall.read(
      entry.build(({ value }) => ({
        oracle: lowerCase(value(slots.oracle)),
        count: Number(value(slots.count)),
      })),
      block,
    );
    const found = await readAll({ row, multicall }, 'reserves', block, (plan) =>
      Array.from({ length: count }, (_, id) => plan.call(spoke, abi, 'getReserve', [BigInt(id)])),
    );
    const tokens = await readSymbols(
      scope,
      found.map(({ underlying }) => lowerCase(underlying)),
      block,
    );
    const reserves = found.map(({ hub, assetId, decimals }, id) => ({
      token: { ...tokens[id]!, decimals },
      hub: lowerCase(hub),
      assetId: BigInt(assetId),
    }));
    return { spoke, oracle, reserves };
  },

  async readMarket({ row, multicall }, layout, block) {
    const plan = planOf(row, 'prices');
    const count = plan.call(layout.spoke, abi, 'getReserveCount', []);
    const slots = layout.reserves.map(({ hub, assetId }, id) => ({
      price: plan.call(layout.oracle, oracleAbi, 'getReservePrice', [BigInt(id)]),
      index: plan.call(hub, hubAbi, 'getAssetDrawnIndex', [assetId]),
    }));
    return multicall.read(
      plan.build(({ value, outcome }) => {
        if (Number(value(count)) !== layout.reserves.length) return null;
        const states = slots.map(({ price, index }) => {
          const [priced, drawn] = [outcome(price), outcome(index)];
          return priced.ok && drawn.ok ? { price: priced.value, drawnIndex: drawn.value } : null;
        });
        return { layout, block, states };
      }),
      block,
    );
  },

  async readAccounts(scope, holders, block, market) {
    const { reserves } = (await market()).layout;
    return readAaveV4Accounts(scope, holders, block, reserves.length);
  },

  evaluate(row, { layout, block, states }, { wallet, holdings }) {
    if (holdings.length === 0) return [];
    const legs: RawLeg[] = [];
    const counted = [];
    for (const { reserveId, isCollateral, suppliedShares, suppliedAssets, ...own } of holdings) {
      const state = states[reserveId];
      if (!state) return null;
      const { token } = layout.reserves[reserveId]!;
      const debt = aaveV4Debt(own, state.drawnIndex);
      const { collateralFactorBps, maxBonusBps } = own;
      const priced = {
        ...token,
        priceRaw: state.price,
        priceDecimals: PRICE_DECIMALS,
        oracle: layout.oracle,
      };
      const supply = { amountRaw: suppliedAssets, scaledRaw: suppliedShares };
      const isSecuring = isCollateral && collateralFactorBps > 0n;
      if (suppliedShares > 0n)
        legs.push(
          isSecuring
            ? collateralLeg(priced, supply, collateralFactorBps, maxBonusBps - PERCENTAGE_FACTOR)
            : lentLeg(priced, supply),
        );
      if (debt.amount > 0n)
        legs.push(debtLeg(priced, { amountRaw: debt.amount, scaledRaw: own.drawnShares }));
      const collateral = isCollateral ? suppliedAssets : 0n;
      const { decimals } = token;
      counted.push({ decimals, price: state.price, collateral, collateralFactorBps, debtRay: debt.ray });
    }
    const { totalCollateral, totalDebt, healthFactor } = aaveV4AccountTotals(counted);
    const position: RawPosition = {
      ...positionBase(row, block, wallet),
      legs,
      totalCollateralRaw: totalCollateral,
      totalDebtRaw: totalDebt,
      priceDecimals: VALUE_DECIMALS,
      usdPerBaseRaw: WAD,
      healthFactorRaw: healthFactor,
    };
    return [position];
  },

  opened: ({ layout }) => ({ addresses: [layout.spoke], ...OPENING_EVENTS }),

  planTotals({ row }, { layout, states, block }) {
    const plan = planOf(row, 'totals');
    const slots = layout.reserves.map(({ token }, id) => ({
      unit: 10n ** BigInt(token.decimals),
      supplied: plan.call(layout.spoke, abi, 'getReserveSuppliedAssets', [BigInt(id)]),
      borrowed: plan.call(layout.spoke, abi, 'getReserveTotalDebt', [BigInt(id)]),
    }));
    return plan.build(({ value }) => {
      const reserves = slots.map(({ unit, supplied, borrowed }, id) => {
        const usd = (amount: bigint): number =>
          toUsd((amount * (states[id]?.price ?? 0n)) / unit, PRICE_DECIMALS, WAD);
        return { suppliedUsd: usd(value(supplied)), borrowedUsd: usd(value(borrowed)) };
      });
      return totalsOf(reserves, block.number);
    });
  },

  planFigures({ row }, { layout }, positions) {
    const plan = planOf(row, 'account data');
    const slots = positions.map(({ wallet }) => plan.call(layout.spoke, abi, 'getUserAccountData', [wallet]));
    return plan.build(({ outcome }) =>
      slots.map((slot) => {
        const result = outcome(slot);
        if (!result.ok) return result;
        const { totalCollateralValue, totalDebtValueRay, healthFactor } = result.value;
        const value = {
          totalCollateral: totalCollateralValue,
          totalDebt: (totalDebtValueRay + RAY - 1n) / RAY,
          healthFactor: healthFactor === maxUint256 ? null : healthFactor,
        };
        return { ok: true, value };
      }),
    );
  },
};
