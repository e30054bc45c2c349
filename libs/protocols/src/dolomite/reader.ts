import {
  type ChainLog,
  type BlockRef,
  PlanBuilder,
  readCall,
  contractOf,
  lowerCase,
  subjectOf,
} from '@plimsoll/evm';
import {
  decodeAbiParameters,
  parseAbi,
  parseAbiParameters,
  slice,
  toEventSelector,
  type Address,
} from 'viem';
import { WAD } from '../fixed-point/math';
import { dolomiteHealthFactor } from './math';
import { basePrice } from '../reader/base-price';
import type { Family, HeldAccount } from '../reader/family';
import { toUsd, totalsOf } from '../reader/market-totals';
import { positionBase } from '../reader/position-base';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { addToken, type Token } from '../reader/tokens';

const abi = parseAbi([
  'struct Info { address owner; uint256 number; }',
  'struct Value { uint256 value; }',
  'struct Par { bool sign; uint128 value; }',
  'struct Wei { bool sign; uint256 value; }',
  'function getNumMarkets() view returns (uint256)',
  'function getMarketTokenAddress(uint256 marketId) view returns (address)',
  'function getMarketPrice(uint256 marketId) view returns (Value)',
  'function getMarketMarginPremium(uint256 marketId) view returns (Value)',
  'struct TotalPar { uint128 borrow; uint128 supply; }',
  'struct Index { uint112 borrow; uint112 supply; uint32 lastUpdate; }',
  'function getMarketTotalPar(uint256 marketId) view returns (TotalPar)',
  'function getMarketCurrentIndex(uint256 marketId) view returns (Index)',
  'function getMarginRatio() view returns (Value)',
  'function getAccountBalances(Info account) view returns (uint256[] marketIds, address[] tokens, Par[] pars, Wei[] weis)',
  'function getAdjustedAccountValues(Info account) view returns (Value supply, Value borrow)',
]);

const UPDATE = '((bool,uint256),(bool,uint128))';
const DEPOSIT = toEventSelector(`LogDeposit(address,uint256,uint256,${UPDATE},address)`);
const SELL = toEventSelector(`LogSell(address,uint256,uint256,uint256,${UPDATE},${UPDATE},address)`);
const LIQUIDATE = toEventSelector(
  `LogLiquidate(address,uint256,address,uint256,uint256,uint256,${UPDATE},${UPDATE},${UPDATE},${UPDATE})`,
);
const TRANSFER = toEventSelector(`LogTransfer(address,uint256,address,uint256,uint256,${UPDATE},${UPDATE})`);
/** Values are a price of 36 − decimals decimals times an amount. */
const VALUE_DECIMALS = 36;

interface DolomiteLayout {
  margin: Address;
  tokens: readonly Token[];
}

interface DolomiteMarket {
  layout: DolomiteLayout;
  block: BlockRef;
  marginRatio: bigint;
  /** By market id. Price is 0 if there is none. */
  markets: readonly { price: bigint; marginPremium: bigint }[];
}

interface Balance {
  marketId: number;
  isDebt: boolean;
  par: bigint;
  wei: bigint;
}

interface DolomiteAccount extends HeldAccount {
  /** Accounts with a balance or a debt, by account number. Values are the contract's adjusted ones. */
  accounts: readonly { number: string; balances: readonly Balance[]; supply: bigint; borrow: bigint }[];
}

/**
 * Dolomite: one row is DolomiteMargin. A sub-id is an account number, found in the logs that open an account.
 */
export const dolomite: Family<DolomiteLayout, DolomiteMarket, DolomiteAccount> = {
  async readLayout({ row, multicall }, block) {
    const margin = contractOf(row, 'margin');
    const entry = new PlanBuilder(row.chainId, subjectOf(row, 'markets'));
    const countSlot = entry.add(readCall(margin, abi, 'getNumMarkets', []));
    const count = await multicall.read(
      entry.build(({ value }) => Number(value(countSlot))),
      block,
    );
    const plan = new PlanBuilder(row.chainId, subjectOf(row, 'market tokens'));
    const slots = Array.from({ length: count }, (_, id) =>
      plan.add(readCall(margin, abi, 'getMarketTokenAddress', [BigInt(id)])),
    );
    const addresses = await multicall.read(
      plan.build(({ value }) => slots.map((slot) => lowerCase(value(slot)))),
      block,
    );
    const names = new PlanBuilder(row.chainId, subjectOf(row, 'tokens'));
    const tokens = addresses.map((address) => addToken(names, address));
    return {
      margin,
      tokens: await multicall.read(
        names.build((results) => tokens.map((token) => token(results))),
        block,
      ),
    };
  },

  async readMarket({ row, multicall }, layout, block) {
    const { margin, tokens } = layout;
    const plan = new PlanBuilder(row.chainId, subjectOf(row, 'prices'));
    const countSlot = plan.add(readCall(margin, abi, 'getNumMarkets', []));
    const ratioSlot = plan.add(readCall(margin, abi, 'getMarginRatio', []));
    const slots = tokens.map((_, id) => ({
      price: plan.add(readCall(margin, abi, 'getMarketPrice', [BigInt(id)])),
      premium: plan.add(readCall(margin, abi, 'getMarketMarginPremium', [BigInt(id)])),
    }));
    return multicall.read(
      plan.build(({ value, outcome }) => {
        if (Number(value(countSlot)) !== tokens.length) return null;
        const markets = slots.map(({ price, premium }) => {
          const priced = outcome(price);
          return { price: priced.ok ? priced.value.value : 0n, marginPremium: value(premium).value };
        });
        return { layout, block, marginRatio: value(ratioSlot).value, markets };
      }),
      block,
    );
  },

  async readAccounts({ row, multicall }, holders, block) {
    const margin = contractOf(row, 'margin');
    const plan = new PlanBuilder(row.chainId, subjectOf(row, 'accounts'));
    const slots = holders.map(({ wallet, subIds }) => ({
      wallet,
      accounts: subIds.map((number) => {
        const account = { owner: wallet, number: BigInt(number) };
        return {
          number,
          balances: plan.add(readCall(margin, abi, 'getAccountBalances', [account])),
          values: plan.add(readCall(margin, abi, 'getAdjustedAccountValues', [account])),
        };
      }),
    }));
    return multicall.read(
      plan.build(({ outcome }) => {
        const accounts = new Map<Address, DolomiteAccount>();
        const failed = new Set<Address>();
        for (const { wallet, accounts: own } of slots) {
          const held: DolomiteAccount['accounts'][number][] = [];
          for (const { number, balances, values } of own) {
            const [found, adjusted] = [outcome(balances), outcome(values)];
            if (!found.ok || !adjusted.ok) {
              failed.add(wallet);
              continue;
            }
            const list = balancesOf(found.value);
            const [supply, borrow] = adjusted.value;
            if (list.length > 0)
              held.push({ number, balances: list, supply: supply.value, borrow: borrow.value });
          }
          if (!failed.has(wallet)) accounts.set(wallet, { wallet, accounts: held });
        }
        return { accounts, failed: [...failed] };
      }),
      block,
    );
  },

  evaluate(row, market, { wallet, accounts }) {
    return accounts.map(({ number, balances, supply, borrow }): RawPosition => {
      const legs = balances.map((balance) => legOf(market, balance));
      const totalOf = (side: RawLeg['side']): bigint =>
        balances
          .filter(({ isDebt }) => isDebt === (side === 'debt'))
          .reduce((sum, { marketId, wei }) => sum + wei * (market.markets[marketId]?.price ?? 0n), 0n);
      return {
        ...positionBase(row, market.block, wallet, number),
        legs,
        totalCollateralRaw: totalOf('collateral'),
        totalDebtRaw: totalOf('debt'),
        priceDecimals: VALUE_DECIMALS,
        usdPerBaseRaw: WAD,
        healthFactorRaw: dolomiteHealthFactor(supply, borrow, market.marginRatio),
      };
    });
  },

  planTotals({ row }, { layout, markets, block }) {
    const plan = new PlanBuilder(row.chainId, subjectOf(row, 'totals'));
    const slots = layout.tokens.map((_, id) => ({
      pars: plan.add(readCall(layout.margin, abi, 'getMarketTotalPar', [BigInt(id)])),
      index: plan.add(readCall(layout.margin, abi, 'getMarketCurrentIndex', [BigInt(id)])),
    }));
    return plan.build(({ outcome }) => {
      const reserves = slots.flatMap(({ pars, index }, id) => {
        const [par, accrued] = [outcome(pars), outcome(index)];
        if (!par.ok || !accrued.ok) return [];
        const usd = (amount: bigint, by: bigint): number =>
          toUsd(((amount * by) / WAD) * markets[id]!.price, VALUE_DECIMALS, WAD);
        return [
          {
            suppliedUsd: usd(par.value.supply, accrued.value.supply),
            borrowedUsd: usd(par.value.borrow, accrued.value.borrow),
          },
        ];
      });
      return totalsOf(reserves, block.number);
    });
  },

  index: async ({ row }) => [
    {
      addresses: [contractOf(row, 'margin')],
      topics: [DEPOSIT, TRANSFER, SELL, LIQUIDATE],
      entriesOf: accountsIn,
    },
  ],
};

function balancesOf([marketIds, , pars, weis]: readonly [
  readonly bigint[],
  readonly Address[],
  readonly { sign: boolean; value: bigint }[],
  readonly { sign: boolean; value: bigint }[],
]): Balance[] {
  return marketIds
    .map((id, index) => ({
      marketId: Number(id),
      isDebt: pars[index]?.sign === false,
      par: pars[index]?.value ?? 0n,
      wei: weis[index]?.value ?? 0n,
    }))
    .filter(({ par }) => par > 0n);
}

function legOf(
  { layout, markets, marginRatio }: DolomiteMarket,
  { marketId, isDebt, par, wei }: Balance,
): RawLeg {
  const token = layout.tokens[marketId]!;
  const { price, marginPremium } = markets[marketId]!;
  const required = ((WAD + marginRatio) * (WAD + marginPremium)) / WAD;
  return {
    ...token,
    side: isDebt ? 'debt' : 'collateral',
    amountRaw: wei,
    scaledRaw: par,
    ...basePrice(price, 36 - token.decimals),
    oracle: layout.margin,
    liquidationThresholdBps: isDebt ? 0n : (WAD * 10_000n) / required,
    usedAsCollateral: !isDebt,
  };
}

/**
 * The owner of a deposit, a sale or a liquidation is the first topic, with the account number. A transfer has
 * two.
 */
function accountsIn({ topics, data }: ChainLog): { wallet: Address; subId: string }[] {
  const owner = (index: number): Address => slice(topics[index]!, 12);
  if (topics[0] === TRANSFER) {
    const [first, second] = decodeAbiParameters(parseAbiParameters('uint256, uint256'), data);
    return [
      { wallet: owner(1), subId: String(first) },
      { wallet: owner(2), subId: String(second) },
    ];
  }
  const [number] = decodeAbiParameters(parseAbiParameters('uint256'), data);
  return [{ wallet: owner(1), subId: String(number) }];
}
