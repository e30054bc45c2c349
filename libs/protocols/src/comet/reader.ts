import {
  callAfter,
  planOf,
  readCall,
  walletEvents,
  type Outcome,
  PlanBuilder,
  contractOf,
  lowerCase,
  readAll,
} from '@plimsoll/evm';
import { encodeFunctionData, parseAbi, type Address } from 'viem';
import { readCometAnnouncements } from './announcements';
import type { CometAccount, CometLayout, CometMarket } from './market';
import { cometBalance, cometIndex, cometTotals } from './math';
import type { Family } from '../reader/family';
import { PER_SECOND } from '../reader/asset-rates';
import { toUsd, totalsOf } from '../reader/market-totals';
import { yearlyRate, positionBase } from '../reader/legs';
import { bonusField, bonusOfShare } from '../reader/liquidation-bonus';
import { roundingOf, type Ratios } from '../reader/ratios';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { outcomeOf, readEach } from '../reader/read-each';
import { readToken, readTokens } from '../reader/tokens';
import { addUsdPrice, usdPerBase } from '../reader/usd-price';

const abi = parseAbi([
  'struct AssetInfo { uint8 offset; address asset; address priceFeed; uint64 scale; uint64 borrowCollateralFactor; uint64 liquidateCollateralFactor; uint64 liquidationFactor; uint128 supplyCap; }',
  'struct TotalsBasic { uint64 baseSupplyIndex; uint64 baseBorrowIndex; uint64 trackingSupplyIndex; uint64 trackingBorrowIndex; uint104 totalSupplyBase; uint104 totalBorrowBase; uint40 lastAccrualTime; uint8 pauseFlags; }',
  'function baseToken() view returns (address)',
  'function baseTokenPriceFeed() view returns (address)',
  'function numAssets() view returns (uint8)',
  'function getAssetInfo(uint8 index) view returns (AssetInfo)',
  'function totalsBasic() view returns (TotalsBasic)',
  'function getUtilization() view returns (uint256)',
  'function getSupplyRate(uint256 utilization) view returns (uint64)',
  'function getBorrowRate(uint256 utilization) view returns (uint64)',
  'function getPrice(address priceFeed) view returns (uint256)',
  'function totalsCollateral(address asset) view returns (uint128 totalSupplyAsset, uint128 reserved)',
  'function userBasic(address user) view returns (int104 principal, uint64 baseTrackingIndex, uint64 baseTrackingAccrued, uint16 assetsIn, uint8 reserved)',
  'function userCollateral(address user, address asset) view returns (uint128 balance, uint128 reserved)',
  'function borrowBalanceOf(address account) view returns (uint256)',
  'function isLiquidatable(address account) view returns (bool)',
  'function accrueAccount(address account)',
]);

const WALLET_EVENTS = walletEvents(
  parseAbi([
    'event Supply(address indexed from, address indexed dst, uint256 amount)',
    'event Withdraw(address indexed src, address indexed to, uint256 amount)',
    'event Transfer(address indexed from, address indexed to, uint256 amount)',
    'event SupplyCollateral(address indexed from, address indexed dst, address indexed asset, uint256 amount)',
    'event WithdrawCollateral(address indexed src, address indexed to, address indexed asset, uint256 amount)',
    'event TransferCollateral(address indexed from, address indexed to, address indexed asset, uint256 amount)',
    'event AbsorbCollateral(address indexed absorber, address indexed borrower, address indexed asset, uint256 collateralAbsorbed, uint256 usdValue)',
    'event AbsorbDebt(address indexed absorber, address indexed borrower, uint256 basePaidOut, uint256 usdValue)',
  ]),
  {
    Supply: [2],
    Withdraw: [1],
    Transfer: [1, 2],
    SupplyCollateral: [2],
    WithdrawCollateral: [1],
    TransferCollateral: [1, 2],
    AbsorbCollateral: [2],
    AbsorbDebt: [2],
  },
);

const PRICE_DECIMALS = 8;

const ratios: Ratios<CometMarket, CometAccount> = {
  shapeOf: ({ layout, assets }) =>
    [
      layout.basePriceFeed,
      ...assets.map(({ priceFeed, price, liquidateCollateralFactor }, at) => {
        return `${layout.addresses[at]} ${priceFeed} ${price === null} ${liquidateCollateralFactor}`;
      }),
    ].join('\n'),
  unitValuesOf: ({ layout, assets, indices, basePrice }) =>
    new Map([
      ...assets.flatMap(({ price, scale }, at): [string, number][] =>
        price === null ? [] : [[String(at), Number(price) / Number(scale)]],
      ),
      ['debt', (Number(indices.borrow) / 1e15) * (Number(basePrice) / 10 ** layout.base.decimals)],
    ]),
  ratiosOf({ assets }, { principal, collaterals }, position) {
    const secures = [...collaterals].map(([at, balance]) => {
      const weight = Number(assets[at]?.liquidateCollateralFactor ?? 0n) / 1e18;
      return { unitValue: String(at), side: 'collateral', units: Number(balance), weight } as const;
    });
    const owed = { unitValue: 'debt', side: 'debt', units: Number(-principal), weight: 1 } as const;
    return [{ legs: [...secures, owed], within: null, slack: roundingOf(position) }];
  },
};

/** Compound III: one row is one comet. Supplied base secures nothing. */
export const comet: Family<CometLayout, CometMarket, CometAccount> = {
  async readLayout({ row, multicall }, block) {
    const address = contractOf(row, 'comet');
    const { base, feed, count } = await readAll({ row, multicall }, 'comet', block, (plan) => ({
      base: plan.call(address, abi, 'baseToken', []),
      feed: plan.call(address, abi, 'baseTokenPriceFeed', []),
      count: plan.call(address, abi, 'numAssets', []),
    }));
    const assets = await readAll({ row, multicall }, 'assets', block, (plan) =>
      Array.from({ length: count }, (_, index) => plan.call(address, abi, 'getAssetInfo', [index])),
    );
    const addresses = assets.map(({ asset }) => lowerCase(asset));
    const [own, tokens] = await Promise.all([
      readToken({ row, multicall }, lowerCase(base), block),
      readTokens({ row, multicall }, addresses, block),
    ]);
    return { comet: address, base: own, basePriceFeed: lowerCase(feed), tokens, addresses };
  },

  async readMarket({ row, multicall, usdOracles }, layout, block) {
    const state = await readAll({ row, multicall }, 'state', block, (plan) => ({
      totals: plan.call(layout.comet, abi, 'totalsBasic', []),
      utilization: plan.call(layout.comet, abi, 'getUtilization', []),
      count: plan.call(layout.comet, abi, 'numAssets', []),
      basePrice: plan.call(layout.comet, abi, 'getPrice', [layout.basePriceFeed]),
      infos: layout.tokens.map((_, index) => plan.call(layout.comet, abi, 'getAssetInfo', [index])),
      baseUsd: addUsdPrice(plan, usdOracles, layout.base.address),
      isUsdFeed: addIsUsdFeed(plan, layout.basePriceFeed),
    }));
    if (state.count !== layout.tokens.length) return null;
    const { supplyRate, borrowRate, prices } = await readAll(
      { row, multicall },
      'rates and prices',
      block,
      (plan) => ({
        supplyRate: plan.call(layout.comet, abi, 'getSupplyRate', [state.utilization]),
        borrowRate: plan.call(layout.comet, abi, 'getBorrowRate', [state.utilization]),
        prices: state.infos.map(({ priceFeed }) => plan.attempt(layout.comet, abi, 'getPrice', [priceFeed])),
      }),
    );
    const elapsed = block.timestamp - BigInt(state.totals.lastAccrualTime);
    return {
      layout,
      block,
      indices: {
        supply: cometIndex(state.totals.baseSupplyIndex, supplyRate, elapsed),
        borrow: cometIndex(state.totals.baseBorrowIndex, borrowRate, elapsed),
      },
      rates: { supply: supplyRate, borrow: borrowRate },
      base: { supplied: state.totals.totalSupplyBase, borrowed: state.totals.totalBorrowBase },
      basePrice: state.basePrice,
      usdPerBaseRaw: usdPerBase(state.baseUsd, state.basePrice, PRICE_DECIMALS, state.isUsdFeed),
      assets: state.infos.map(
        (
          {
            priceFeed,
            scale,
            liquidateCollateralFactor,
            liquidationFactor,
            borrowCollateralFactor,
            supplyCap,
          },
          index,
        ) => ({
          token: layout.tokens[index]!,
          priceFeed: lowerCase(priceFeed),
          price: priceOf(prices[index]!),
          scale,
          liquidateCollateralFactor,
          liquidationFactor,
          borrowCollateralFactor,
          supplyCap,
        }),
      ),
    };
  },

  async readRates(_scope, _block, market) {
    const { layout, rates } = await market();
    return [
      {
        subId: '',
        token: lowerCase(layout.base.address),
        symbol: layout.base.symbol,
        collateral: null,
        unit: PER_SECOND,
        supply: { raw: rates.supply, statedBy: 'getSupplyRate' },
        borrow: { raw: rates.borrow, statedBy: 'getBorrowRate' },
      },
    ];
  },

  async readAccounts(scope, holders, block, market) {
    const { layout } = await market();
    return readEach(scope, 'accounts', holders, block, (plan, { wallet }) => {
      const basic = plan.call(layout.comet, abi, 'userBasic', [wallet]);
      const balances = layout.addresses.map((address) =>
        plan.call(layout.comet, abi, 'userCollateral', [wallet, address]),
      );
      return ({ value }): CometAccount => {
        const held = balances
          .map((slot, index): [number, bigint] => [index, value(slot)[0]])
          .filter(([, balance]) => balance > 0n);
        return { wallet, principal: value(basic)[0], collaterals: new Map(held) };
      };
    });
  },

  evaluate(row, market, { wallet, principal, collaterals }) {
    if (principal === 0n && collaterals.size === 0) return [];
    const { layout, block, basePrice, assets } = market;
    const { supplied, borrowed } = cometBalance(principal, market.indices);
    const held = assets.flatMap(({ token, price, ...asset }, index) => {
      const balance = collaterals.get(index);
      return balance === undefined || !token || price === null ? [] : [{ ...asset, token, price, balance }];
    });
    if (held.length < collaterals.size) return null;
    const baseScale = 10n ** BigInt(layout.base.decimals);
    const totals = cometTotals(borrowed, basePrice, baseScale, held);
    const inBase = {
      ...layout.base,
      priceRaw: basePrice,
      priceDecimals: PRICE_DECIMALS,
      oracle: layout.basePriceFeed,
      liquidationThresholdBps: 0n,
      usedAsCollateral: false,
    };
    const legs: RawLeg[] = held.map(({ token, price, priceFeed, balance, ...factors }) => ({
      ...token,
      side: 'collateral',
      amountRaw: balance,
      scaledRaw: balance,
      priceRaw: price,
      priceDecimals: PRICE_DECIMALS,
      oracle: priceFeed,
      liquidationThresholdBps: factors.liquidateCollateralFactor / 10n ** 14n,
      ...bonusField(bonusOfShare(factors.liquidationFactor)),
      usedAsCollateral: true,
      // Collateral is not lent.
      annualRate: 0,
    }));
    if (principal > 0n) {
      const annualRate = yearlyRate(market.rates.supply);
      legs.push({ ...inBase, side: 'collateral', amountRaw: supplied, scaledRaw: principal, annualRate });
    }
    if (principal < 0n) {
      const annualRate = yearlyRate(market.rates.borrow);
      legs.push({ ...inBase, side: 'debt', amountRaw: borrowed, scaledRaw: -principal, annualRate });
    }
    const position: RawPosition = {
      ...positionBase(row, block, wallet),
      legs,
      totalCollateralRaw: totals.totalCollateral,
      totalDebtRaw: totals.totalDebt,
      priceDecimals: PRICE_DECIMALS,
      usdPerBaseRaw: market.usdPerBaseRaw,
      healthFactorRaw: totals.healthFactor,
    };
    return [position];
  },

  // Collaterals are not lent: every debt is in the base.
  planTotals({ row }, { layout, block, indices, base, basePrice, usdPerBaseRaw, assets }) {
    const plan = planOf(row, 'totals');
    const slots = layout.addresses.map((asset) => plan.call(layout.comet, abi, 'totalsCollateral', [asset]));
    return plan.build(({ value }) => {
      if (usdPerBaseRaw === null) return null;
      const usd = (amount: bigint, price: bigint, scale: bigint): number =>
        toUsd((amount * price) / scale, PRICE_DECIMALS, usdPerBaseRaw);
      const baseScale = 10n ** BigInt(layout.base.decimals);
      const reserves = assets.map(({ price, scale }, index) => ({
        // An asset without a price counts as zero, because its value is unknown.
        suppliedUsd: usd(value(slots[index]!)[0], price ?? 0n, scale),
        borrowedUsd: 0,
      }));
      reserves.push({
        suppliedUsd: usd(cometBalance(base.supplied, indices).supplied, basePrice, baseScale),
        borrowedUsd: usd(cometBalance(-base.borrowed, indices).borrowed, basePrice, baseScale),
      });
      return totalsOf(reserves, block.number);
    });
  },

  planFigures({ row, multicall }, { layout: { comet: address, base }, basePrice }, positions) {
    const plan = planOf(row, 'verdicts');
    const slots = positions.map(({ wallet, legs, totalDebtRaw }) => ({
      borrowed: plan.call(address, abi, 'borrowBalanceOf', [wallet]),
      collaterals: legs
        .filter(({ usedAsCollateral }) => usedAsCollateral)
        .map((leg) => ({
          leg,
          balance: plan.call(address, abi, 'userCollateral', [wallet, leg.address]),
        })),
      isLiquidatable:
        totalDebtRaw === 0n ? null : plan.add(isLiquidatableCall(multicall.multicall3, address, wallet)),
    }));
    return plan.build(({ value }) =>
      slots.map(({ borrowed, collaterals, isLiquidatable }) =>
        outcomeOf(() => ({
          totalCollateral: collaterals.reduce(
            (sum, { leg, balance }) => sum + (value(balance)[0] * leg.priceRaw) / 10n ** BigInt(leg.decimals),
            0n,
          ),
          totalDebt: (value(borrowed) * basePrice) / 10n ** BigInt(base.decimals),
          ...(isLiquidatable && { isLiquidatable: value(isLiquidatable) }),
        })),
      ),
    );
  },

  touched: ({ layout }) => ({ addresses: [layout.comet], ...WALLET_EVENTS }),
  readAnnouncements: readCometAnnouncements,
  ratios,
};

/** isLiquidatable takes the index of the last accrual, and a liquidation accrues first. */
function isLiquidatableCall(multicall3: Address, comet: Address, account: Address) {
  const data = encodeFunctionData({ abi, functionName: 'accrueAccount', args: [account] });
  return callAfter(multicall3, [{ to: comet, data }], readCall(comet, abi, 'isLiquidatable', [account]));
}

/** getPrice reverts on a price that is not positive. Source: comet, Comet.sol, getPrice. */
function priceOf(result: Outcome<bigint>): bigint | null {
  return result.ok ? result.value : null;
}

const feedAbi = parseAbi(['function description() view returns (string)']);

/** Whether the description of a price feed states dollars. */
function addIsUsdFeed(plan: PlanBuilder, feed: Address) {
  const slot = plan.call(feed, feedAbi, 'description', []);
  return ({ outcome }: Parameters<Parameters<typeof plan.build>[0]>[0]): boolean => {
    const result = outcome(slot);
    return result.ok && /\/\s*USD$/i.test(result.value.trim());
  };
}
