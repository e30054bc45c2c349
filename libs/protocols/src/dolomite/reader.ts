import { planOf, type ChainLog, type BlockRef, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import {
  decodeAbiParameters,
  parseAbi,
  parseAbiParameters,
  slice,
  toEventSelector,
  zeroAddress,
  type Address,
} from 'viem';
import { marginAbi } from './abi';
import { basePrice, positionBase, unreadablePosition } from '../reader/legs';
import { WAD } from '../fixed-point/math';
import {
  DOLOMITE_VALUE_DECIMALS,
  type DolomiteMargin,
  dolomiteAdjusted,
  dolomiteHealthFactor,
  dolomiteMargin,
} from './math';
import type { EvaluatedPosition, Family, HeldAccount, RowScope } from '../reader/family';
import { toUsd, totalsOf } from '../reader/market-totals';
import type { RawLeg } from '../reader/raw-position';
import { readTokens, type Token } from '../reader/tokens';
import { readDolomiteRates } from './rates';

/** A token that each wallet holds in a vault of its own (dolomite-margin-modules, IIsolationModeVaultFactory.sol). */
const isolationAbi = parseAbi([
  'function isIsolationAsset() view returns (bool)',
  'function getVaultByAccount(address account) view returns (address vault)',
]);

const UPDATE = '((bool,uint256),(bool,uint128))';
const DEPOSIT = toEventSelector(`LogDeposit(address,uint256,uint256,${UPDATE},address)`);
const SELL = toEventSelector(`LogSell(address,uint256,uint256,uint256,${UPDATE},${UPDATE},address)`);
const LIQUIDATE = toEventSelector(
  `LogLiquidate(address,uint256,address,uint256,uint256,uint256,${UPDATE},${UPDATE},${UPDATE},${UPDATE})`,
);
const TRANSFER = toEventSelector(`LogTransfer(address,uint256,address,uint256,uint256,${UPDATE},${UPDATE})`);
interface DolomiteLayout {
  margin: Address;
  /** By market id. Null: it states no decimals. */
  tokens: readonly (Token | null)[];
  /** The tokens that are the factories of isolation-mode vaults. */
  isolated: readonly Address[];
}

interface DolomiteMarket {
  layout: DolomiteLayout;
  block: BlockRef;
  marginRatio: bigint;
  /** Whether the deployed version has risk overrides of accounts. */
  hasOverrides: boolean;
  /** By market id. Price is 0 if there is none. */
  markets: readonly { price: bigint; marginPremium: bigint }[];
}

interface Balance {
  marketId: number;
  isDebt: boolean;
  par: bigint;
  wei: bigint;
}

/** An account with a balance or a debt. Values are the contract's adjusted ones. */
interface HeldNumber {
  /** Its number, after the address of the vault that owns it. */
  subId: string;
  balances: readonly Balance[];
  supply: bigint;
  borrow: bigint;
  /** The margin ratio of the account alone. 0: that of all accounts. Null: not read. */
  override: bigint | null;
}

interface DolomiteAccount extends HeldAccount {
  accounts: readonly HeldNumber[];
  /** The sub-ids of accounts that could not be read. */
  failed: readonly string[];
}

/** The tokens of all markets. The index is the market id. @throws ChainReadError */
export async function readMarketTokens(scope: RowScope, block: BlockRef): Promise<Address[]> {
  const margin = contractOf(scope.row, 'margin');
  const count = await readAll(scope, 'markets', block, (plan) =>
    plan.call(margin, marginAbi, 'getNumMarkets', []),
  );
  const tokens = await readAll(scope, 'market tokens', block, (plan) =>
    Array.from({ length: Number(count) }, (_, id) =>
      plan.call(margin, marginAbi, 'getMarketTokenAddress', [BigInt(id)]),
    ),
  );
  return tokens.map(lowerCase);
}

/**
 * Dolomite: one row is DolomiteMargin. A sub-id is an account number, found in the logs that open an account. Accounts of
 * a wallet's isolation-mode vaults have the vault's address before the number.
 */
export const dolomite: Family<DolomiteLayout, DolomiteMarket, DolomiteAccount> = {
  async readLayout(scope, block) {
    const addresses = await readMarketTokens(scope, block);
    const [tokens, isolation] = await Promise.all([
      readTokens(scope, addresses, block),
      readAll(scope, 'isolation mode', block, (plan) =>
        addresses.map((token) => plan.attempt(token, isolationAbi, 'isIsolationAsset', [])),
      ),
    ]);
    const isolated = addresses.filter((_, id) => {
      const result = isolation[id]!;
      return result.ok && result.value;
    });
    return { margin: contractOf(scope.row, 'margin'), tokens, isolated };
  },

  async readMarket({ row, multicall }, layout, block) {
    const { margin, tokens } = layout;
    const plan = planOf(row, 'prices');
    const countSlot = plan.call(margin, marginAbi, 'getNumMarkets', []);
    const ratioSlot = plan.call(margin, marginAbi, 'getMarginRatio', []);
    const setterSlot = plan.call(margin, marginAbi, 'getDefaultAccountRiskOverrideSetter', []);
    const slots = tokens.map((_, id) => ({
      price: plan.call(margin, marginAbi, 'getMarketPrice', [BigInt(id)]),
      premium: plan.call(margin, marginAbi, 'getMarketMarginPremium', [BigInt(id)]),
    }));
    return multicall.read(
      plan.build(({ value, outcome }) => {
        if (Number(value(countSlot)) !== tokens.length) return null;
        const markets = slots.map(({ price, premium }) => {
          const priced = outcome(price);
          return { price: priced.ok ? priced.value.value : 0n, marginPremium: value(premium).value };
        });
        const hasOverrides = outcome(setterSlot).ok;
        return { layout, block, marginRatio: value(ratioSlot).value, hasOverrides, markets };
      }),
      block,
    );
  },

  /** Any account can create the vault of a wallet, which is empty then. */
  async proxiesOf(scope, wallets, block, market) {
    const { isolated } = (await market()).layout;
    const vaults = await readAll(scope, 'isolation vaults', block, (plan) =>
      wallets.map((wallet) =>
        isolated.map((factory) => plan.attempt(factory, isolationAbi, 'getVaultByAccount', [wallet])),
      ),
    );
    return new Map(
      wallets.map((wallet, index) => [
        wallet,
        vaults[index]!.flatMap((vault) => {
          return vault.ok && vault.value !== zeroAddress ? [lowerCase(vault.value)] : [];
        }),
      ]),
    );
  },

  async readAccounts({ row, multicall }, holders, block) {
    const margin = contractOf(row, 'margin');
    const plan = planOf(row, 'accounts');
    const slots = holders.map(({ wallet, subIds, proxies = [] }) => ({
      wallet,
      accounts: [{ wallet, subIds }, ...proxies].flatMap(({ wallet: owner, subIds: numbers }) =>
        numbers.map((number) => {
          const account = { owner, number: BigInt(number) };
          return {
            subId: owner === wallet ? number : `${owner}:${number}`,
            balances: plan.call(margin, marginAbi, 'getAccountBalances', [account]),
            values: plan.call(margin, marginAbi, 'getAdjustedAccountValues', [account]),
            override: plan.call(margin, marginAbi, 'getMarginRatioOverrideByAccount', [account]),
          };
        }),
      ),
    }));
    return multicall.read(
      plan.build(({ outcome }) => {
        const accounts = slots.map(({ wallet, accounts: own }): [Address, DolomiteAccount] => {
          const held: HeldNumber[] = [];
          const failed: string[] = [];
          for (const { subId, balances, values, override } of own) {
            const [found, adjusted, ratio] = [outcome(balances), outcome(values), outcome(override)];
            if (!found.ok) {
              failed.push(subId);
              continue;
            }
            const list = balancesOf(found.value);
            if (list.length === 0) continue;
            if (!adjusted.ok) {
              failed.push(subId);
              continue;
            }
            const [{ value: supply }, { value: borrow }] = adjusted.value;
            held.push({
              subId,
              balances: list,
              supply,
              borrow,
              override: ratio.ok ? ratio.value.value : null,
            });
          }
          return [wallet, { wallet, accounts: held, failed }];
        });
        return { accounts: new Map(accounts), failed: [] };
      }),
      block,
    );
  },

  evaluate(row, market, { wallet, accounts, failed }) {
    const held = accounts.map(({ subId, balances, supply, borrow, override }): EvaluatedPosition => {
      // Where accounts have overrides, one that cannot be read leaves the threshold unknown.
      const isUnknown = market.hasOverrides && override === null;
      if (isUnknown || balances.some(({ marketId }) => !market.layout.tokens[marketId]))
        return unreadablePosition(row, market.block, wallet, subId);
      const margin = dolomiteMargin(market.marginRatio, override ?? 0n);
      const legs = balances.map((balance) => legOf(market, balance, margin));
      const values = balances.map(({ marketId, isDebt, wei }) => {
        const { price, marginPremium } = market.markets[marketId]!;
        return { isDebt, marginPremium, value: wei * price };
      });
      const own = dolomiteAdjusted(values, margin);
      const totalOf = (side: RawLeg['side']): bigint =>
        values.reduce((sum, { isDebt, value }) => (isDebt === (side === 'debt') ? sum + value : sum), 0n);
      return {
        ...positionBase(row, market.block, wallet, subId),
        legs,
        totalCollateralRaw: totalOf('collateral'),
        totalDebtRaw: totalOf('debt'),
        priceDecimals: DOLOMITE_VALUE_DECIMALS,
        usdPerBaseRaw: WAD,
        healthFactorRaw: dolomiteHealthFactor(own.supply, own.borrow, margin.ratio),
        stated: { healthFactor: dolomiteHealthFactor(supply, borrow, margin.ratio) },
      };
    });
    return [...held, ...failed.map((subId) => unreadablePosition(row, market.block, wallet, subId))];
  },

  planTotals({ row }, { layout, markets, block }) {
    const plan = planOf(row, 'totals');
    const slots = layout.tokens.map((_, id) => ({
      pars: plan.call(layout.margin, marginAbi, 'getMarketTotalPar', [BigInt(id)]),
      index: plan.call(layout.margin, marginAbi, 'getMarketCurrentIndex', [BigInt(id)]),
    }));
    return plan.build(({ outcome }) => {
      const reserves = slots.flatMap(({ pars, index }, id) => {
        const [par, accrued] = [outcome(pars), outcome(index)];
        if (!par.ok || !accrued.ok) return [];
        const usd = (amount: bigint, by: bigint): number =>
          toUsd(((amount * by) / WAD) * markets[id]!.price, DOLOMITE_VALUE_DECIMALS, WAD);
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

  readRates: async (scope, block, market) => readDolomiteRates(scope, (await market()).layout, block),

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
  { layout, markets }: DolomiteMarket,
  { marketId, isDebt, par, wei }: Balance,
  { ratio, hasPremiums }: DolomiteMargin,
): RawLeg {
  const token = layout.tokens[marketId]!;
  const { price, marginPremium } = markets[marketId]!;
  const required = ((WAD + ratio) * (WAD + (hasPremiums ? marginPremium : 0n))) / WAD;
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
