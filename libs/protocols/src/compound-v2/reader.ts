import {
  callAfter,
  planOf,
  walletEvents,
  type BlockRef,
  PlanBuilder,
  type Slot,
  readCall,
  contractOf,
  lowerCase,
  optionalContractOf,
} from '@plimsoll/evm';
import { encodeFunctionData, parseAbi, zeroAddress, type Address } from 'viem';
import { readCompoundAnnouncements } from './announcements';
import { positionBase, unreadablePosition } from '../reader/legs';
import { bonusOfFactor } from '../reader/liquidation-bonus';
import { compoundTotals, compoundUnderlying, type CompoundOrder } from './math';
import { WAD } from '../fixed-point/math';
import { COMPOUND_VALUE_DECIMALS, compoundLegs, vaiLegs } from './legs';
import { readCompoundRates, readCompoundReserve } from './reserve';
import type { Family, HeldAccount } from '../reader/family';
import { toUsd, totalsOf } from '../reader/market-totals';
import type { RawPosition } from '../reader/raw-position';
import { readEach, valueOrNull } from '../reader/read-each';
import { addToken, type Token } from '../reader/tokens';

// Some of these functions accrue interest first and so are not views. An eth_call to them returns the debt in
// the block.
const abi = parseAbi([
  'function getAllMarkets() view returns (address[])',
  'function oracle() view returns (address)',
  'function markets(address token) view returns (bool isListed, uint256 collateralFactorMantissa)',
  'function getEffectiveLtvFactor(address user, address token, uint8 weightingStrategy) view returns (uint256)',
  'function getEffectiveLiquidationIncentive(address user, address token) view returns (uint256)',
  'function liquidationIncentiveMantissa() view returns (uint256)',
  'function isDeprecated(address token) view returns (bool)',
  'function vaiController() view returns (address)',
  'function getVAIRepayAmount(address user) view returns (uint256)',
  'function getAssetsIn(address user) view returns (address[])',
  'function underlying() view returns (address)',
  'function exchangeRateCurrent() view returns (uint256)',
  'function borrowBalanceCurrent(address user) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function totalBorrowsCurrent() view returns (uint256)',
  'function balanceOf(address user) view returns (uint256)',
  'function getUnderlyingPrice(address token) view returns (uint256)',
  'function getAccountLiquidity(address user) view returns (uint256 errorCode, uint256 liquidity, uint256 shortfall)',
  'function accrueInterest() returns (uint256)',
]);
/** markets() of an isolated pool returns a third word. */
const isolatedAbi = parseAbi([
  'function markets(address token) view returns (bool isListed, uint256 collateralFactorMantissa, uint256 liquidationThresholdMantissa)',
]);
/** A mint is an opening event too. A wallet that borrows has supplied before. */
const OPENING_EVENTS = walletEvents(
  parseAbi(['event Transfer(address indexed from, address indexed to, uint256 amount)']),
  { Transfer: [2] },
);
/** WeightFunction of the core pool's getEffectiveLtvFactor: the threshold of liquidation. */
const LIQUIDATION_THRESHOLD = 1;

/** The differences between the protocols of the family. */
export interface CompoundVariant {
  order: CompoundOrder;
  /**
   * collateral-factor: one for all; isolated: a separate threshold; by-wallet: the core pool of Venus, with
   * VAI. There the liquidator's bonus differs by wallet and market too.
   */
  threshold: 'collateral-factor' | 'isolated' | 'by-wallet';
}

interface CompoundAsset {
  /** The market's own token. */
  market: Address;
  /** Null: it is neither the chain's own coin nor a token with decimals. */
  underlying: Token | null;
}

interface CompoundLayout {
  comptroller: Address;
  oracle: Address;
  vaiController: Address | null;
  assets: readonly CompoundAsset[];
}

interface MarketState {
  exchangeRate: bigint;
  threshold: bigint;
  /** Null if the oracle fails. */
  price: bigint | null;
  /** Whether the market is wound down: its debts may be liquidated at any health factor. */
  isDeprecated: boolean;
}

interface CompoundMarket {
  layout: CompoundLayout;
  block: BlockRef;
  /** The value that a liquidator seizes for one unit of repaid debt (wad). Null if it differs by wallet or is not read. */
  incentive: bigint | null;
  /** By market token. */
  states: ReadonlyMap<Address, MarketState>;
}

interface CompoundBalance {
  tokens: bigint;
  borrowed: bigint;
  threshold: bigint | null;
  incentive: bigint | null;
}

interface CompoundAccount extends HeldAccount {
  entered: ReadonlySet<Address>;
  vaiDebt: bigint;
  /** The market tokens with a balance or a debt. `threshold` and `incentive` only if they differ by wallet. */
  balances: ReadonlyMap<Address, CompoundBalance>;
  /** The market tokens that do not state what the wallet holds or owes there, and where it may have something. */
  failed: readonly Address[];
}

/** Protocols built on Compound v2: one row is one comptroller, and one position of each wallet. */
export function compoundLike(
  variant: CompoundVariant,
): Family<CompoundLayout, CompoundMarket, CompoundAccount> {
  return {
    async readLayout({ row, multicall, nativeCurrency }, block) {
      const comptroller = contractOf(row, 'comptroller');
      const entry = planOf(row, 'comptroller');
      const marketsSlot = entry.call(comptroller, abi, 'getAllMarkets', []);
      const oracleSlot = entry.call(comptroller, abi, 'oracle', []);
      const vaiSlot =
        variant.threshold === 'by-wallet' ? entry.call(comptroller, abi, 'vaiController', []) : null;
      const found = await multicall.read(
        entry.build(({ value }) => ({
          markets: value(marketsSlot).map(lowerCase),
          oracle: lowerCase(value(oracleSlot)),
          vaiController: vaiSlot && value(vaiSlot) !== zeroAddress ? lowerCase(value(vaiSlot)) : null,
        })),
        block,
      );
      const plan = planOf(row, 'underlyings');
      const underlyings = found.markets.map((market) => plan.call(market, abi, 'underlying', []));
      const addresses = await multicall.read(
        plan.build(({ outcome }) => underlyings.map(outcome)),
        block,
      );
      const tokens = planOf(row, 'tokens');
      const named = addresses.map((result) => (result.ok ? addToken(tokens, lowerCase(result.value)) : null));
      const native: Token = { address: zeroAddress, symbol: nativeCurrency, decimals: 18 };
      // Only this market has no underlying(). Any other market without one has failed.
      const nativeMarket = optionalContractOf(row.contracts, 'nativeMarket');
      const assets = await multicall.read(
        tokens.build((results) =>
          found.markets.map((market, index) => ({
            market,
            underlying: market === nativeMarket ? native : (named[index]?.(results) ?? null),
          })),
        ),
        block,
      );
      return { comptroller, oracle: found.oracle, vaiController: found.vaiController, assets };
    },

    async readMarket({ row, multicall }, layout, block) {
      const { comptroller, oracle, assets } = layout;
      const plan = planOf(row, 'markets');
      const oracleSlot = plan.call(comptroller, abi, 'oracle', []);
      const listSlot = plan.call(comptroller, abi, 'getAllMarkets', []);
      const incentiveSlot =
        variant.threshold === 'by-wallet'
          ? null
          : plan.call(comptroller, abi, 'liquidationIncentiveMantissa', []);
      const slots = assets.map(({ market }) => ({
        market,
        exchangeRate: plan.call(market, abi, 'exchangeRateCurrent', []),
        price: plan.call(oracle, abi, 'getUnderlyingPrice', [market]),
        threshold: addThreshold(plan, variant, comptroller, market),
        // Protocols without the function have no such markets.
        deprecated: plan.call(comptroller, abi, 'isDeprecated', [market]),
      }));
      return multicall.read(
        plan.build(({ value, outcome }) => {
          const isCurrent =
            lowerCase(value(oracleSlot)) === oracle && value(listSlot).length === assets.length;
          if (!isCurrent) return null;
          const states = slots.flatMap(({ market, threshold, ...slot }): [Address, MarketState][] => {
            const [rate, priced] = [outcome(slot.exchangeRate), outcome(slot.price)];
            // A market that cannot be read makes its holders unreadable, and no others.
            if (!rate.ok) return [];
            const state = {
              exchangeRate: rate.value,
              threshold: threshold ? value(threshold) : 0n,
              price: priced.ok && priced.value > 0n ? priced.value : null,
              isDeprecated: valueOrNull(outcome(slot.deprecated)) ?? false,
            };
            return [[market, state]];
          });
          const incentive = incentiveSlot && valueOrNull(outcome(incentiveSlot));
          return { layout, block, incentive, states: new Map(states) };
        }),
        block,
      );
    },

    async readAccounts(scope, holders, block, market) {
      const { layout } = await market();
      const isByWallet = variant.threshold === 'by-wallet';
      return readEach(scope, 'accounts', holders, block, (plan, { wallet }) => {
        const entered = plan.call(layout.comptroller, abi, 'getAssetsIn', [wallet]);
        const vai =
          layout.vaiController && plan.call(layout.vaiController, abi, 'getVAIRepayAmount', [wallet]);
        const slots = layout.assets.map(({ market: token }) => {
          const args = [wallet, token, LIQUIDATION_THRESHOLD] as const;
          return {
            token,
            tokens: plan.call(token, abi, 'balanceOf', [wallet]),
            borrowed: plan.call(token, abi, 'borrowBalanceCurrent', [wallet]),
            threshold: isByWallet ? plan.call(layout.comptroller, abi, 'getEffectiveLtvFactor', args) : null,
            incentive: isByWallet
              ? plan.call(layout.comptroller, abi, 'getEffectiveLiquidationIncentive', [wallet, token])
              : null,
          };
        });
        return ({ value, outcome }): CompoundAccount => {
          const own = new Set(value(entered).map(lowerCase));
          const balances = new Map<Address, CompoundBalance>();
          const failed: Address[] = [];
          for (const { token, threshold, incentive, ...slot } of slots) {
            const [tokens, borrowed] = [
              valueOrNull(outcome(slot.tokens)),
              valueOrNull(outcome(slot.borrowed)),
            ];
            const weight = threshold && valueOrNull(outcome(threshold));
            if (tokens === null || borrowed === null) {
              // A wallet that borrows enters the market, and one that owes cannot leave it.
              if (tokens !== 0n || own.has(token)) failed.push(token);
            } else if (tokens > 0n && threshold && weight === null) failed.push(token);
            else if (tokens + borrowed > 0n) {
              const seized = incentive && valueOrNull(outcome(incentive));
              balances.set(token, { tokens, borrowed, threshold: weight, incentive: seized });
            }
          }
          return { wallet, entered: own, vaiDebt: vai ? value(vai) : 0n, balances, failed };
        };
      });
    },

    planFigures({ row, multicall }, { layout: { comptroller, assets } }, positions) {
      // The comptroller takes stored balances, and a liquidation accrues first.
      const data = encodeFunctionData({ abi, functionName: 'accrueInterest' });
      const accruals = assets.map(({ market }) => ({ to: market, data }));
      const plan = planOf(row, 'account liquidity');
      const slots = positions.map(({ wallet, totalDebtRaw }) => {
        const view = readCall(comptroller, abi, 'getAccountLiquidity', [wallet]);
        return { debt: totalDebtRaw, liquidity: plan.add(callAfter(multicall.multicall3, accruals, view)) };
      });
      return plan.build(({ outcome }) =>
        slots.map(({ debt, liquidity }) => {
          const result = outcome(liquidity);
          if (!result.ok) return result;
          const [errorCode, surplus, shortfall] = result.value;
          // A price that it cannot get.
          if (errorCode > 0n) return { ok: false, reason: 'reverted' };
          // It states no sums. The weighted collateral is its surplus above the debt.
          const weighted = debt + surplus > shortfall ? debt + surplus - shortfall : 0n;
          const healthFactor = debt === 0n ? null : (weighted * WAD) / debt;
          return { ok: true, value: { healthFactor, isLiquidatable: shortfall > 0n } };
        }),
      );
    },

    opened: ({ layout }) => ({ addresses: layout.assets.map(({ market }) => market), ...OPENING_EVENTS }),

    planTotals: ({ row }, { block, states }) => {
      const plan = planOf(row, 'totals');
      const slots = [...states].map(([token, state]) => ({
        state,
        tokens: plan.call(token, abi, 'totalSupply', []),
        borrowed: plan.call(token, abi, 'totalBorrowsCurrent', []),
      }));
      return plan.build(({ value }) => {
        // A market without a price counts as zero, because its value is unknown.
        const reserves = slots.map(({ state: { exchangeRate, price }, tokens, borrowed }) => {
          const usd = (amount: bigint): number =>
            toUsd((amount * (price ?? 0n)) / WAD, COMPOUND_VALUE_DECIMALS, WAD);
          const supplied = compoundUnderlying(value(tokens), exchangeRate);
          return { suppliedUsd: usd(supplied), borrowedUsd: usd(value(borrowed)) };
        });
        return totalsOf(reserves, block.number);
      });
    },

    // The threshold of a wallet in the core pool of Venus depends on more than the market.
    ...(variant.threshold !== 'by-wallet' && { readAnnouncements: readCompoundAnnouncements }),

    async readReserve(scope, { layout, block }, { token }) {
      const asset = layout.assets.find(
        ({ underlying }) => underlying && lowerCase(underlying.address) === token,
      );
      return asset ? readCompoundReserve(scope, asset.market, block) : null;
    },

    async readRates(scope, block, market) {
      const { layout } = await market();
      const lent = layout.assets.flatMap(({ market: address, underlying }) =>
        underlying ? [{ market: address, underlying }] : [],
      );
      return readCompoundRates(scope, lent, block);
    },

    evaluate(row, { layout, block, states, incentive }, { wallet, entered, vaiDebt, balances, failed }) {
      if (balances.size === 0 && failed.length === 0 && vaiDebt === 0n) return [];
      const holdings = layout.assets.flatMap(({ market, underlying }) => {
        const [balance, state] = [balances.get(market), states.get(market)];
        if (!balance || !state || !underlying) return [];
        const threshold = balance.threshold ?? state.threshold;
        const bonusBps = bonusOfFactor(balance.incentive ?? incentive ?? 0n);
        const { exchangeRate, price, isDeprecated } = state;
        const priced = { exchangeRate, price: price ?? 0n, isDeprecated };
        return [
          { market, underlying, ...balance, ...priced, threshold, bonusBps, entered: entered.has(market) },
        ];
      });
      const read = new Set(holdings.map(({ market }) => market));
      const unread = [...failed, ...[...balances.keys()].filter((market) => !read.has(market))];

      // The protocol itself does not state how much a wallet may borrow if the price of a market is missing that the wallet
      // entered, even without a balance.
      const isUnpriced = layout.assets.some(
        ({ market }) => entered.has(market) && (states.get(market)?.price ?? null) === null,
      );
      const isNeeded = (market: Address): boolean =>
        entered.has(market) || (balances.get(market)?.borrowed ?? 0n) > 0n;
      if (isUnpriced || unread.some(isNeeded)) return null;
      // Any account can send tokens of a market to a wallet. They secure nothing there, so they hide nothing else.
      const beside = unread.map((market) => unreadablePosition(row, block, wallet, market));
      if (holdings.length === 0 && vaiDebt === 0n) return beside;
      const totals = compoundTotals(holdings, variant.order, vaiDebt);
      const position: RawPosition = {
        ...positionBase(row, block, wallet),
        flags: holdings.some(({ borrowed, isDeprecated }) => borrowed > 0n && isDeprecated)
          ? ['shutdown']
          : [],
        legs: [
          ...holdings.flatMap((one) => compoundLegs(one, layout.oracle)),
          ...vaiLegs(layout.vaiController, vaiDebt),
        ],
        totalCollateralRaw: totals.totalCollateral,
        totalDebtRaw: totals.totalDebt,
        priceDecimals: COMPOUND_VALUE_DECIMALS,
        usdPerBaseRaw: WAD,
        healthFactorRaw: totals.healthFactor,
      };
      return [position, ...beside];
    },
  };
}

/** Compound v2, Moonwell, BENQI. */
export const compoundV2 = compoundLike({ order: 'threshold-first', threshold: 'collateral-factor' });
/** The core pool of Venus on BNB Chain. */
export const venusCore = compoundLike({ order: 'threshold-first', threshold: 'by-wallet' });
/** Isolated pools of Venus. */
export const venusIsolated = compoundLike({ order: 'price-first', threshold: 'isolated' });

function addThreshold(
  plan: PlanBuilder,
  { threshold }: CompoundVariant,
  comptroller: Address,
  market: Address,
): Slot<bigint> | null {
  if (threshold === 'by-wallet') return null;
  const call =
    threshold === 'isolated'
      ? readCall(comptroller, isolatedAbi, 'markets', [market])
      : readCall(comptroller, abi, 'markets', [market]);
  const word = threshold === 'isolated' ? 2 : 1;
  return plan.add({
    ...call,
    decode: (result) => (call.decode(result) as readonly [boolean, bigint, bigint])[word] ?? 0n,
  });
}
