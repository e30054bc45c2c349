import { planOf, walletEvents, type BlockRef, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi, zeroAddress, type Address } from 'viem';
import { debtLeg, dollarToken, positionBase } from '../reader/legs';
import { WAD } from '../fixed-point/math';
import { type TroveThresholds, troveHealthFactor, troveRatio, troveThreshold } from './math';
import { PER_SECOND } from '../reader/asset-rates';
import type { Family, HeldAccount } from '../reader/family';
import { mintedTotals, toUsd } from '../reader/market-totals';
import type { RawPosition } from '../reader/raw-position';
import { readToken, type Token } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';

// fetchPrice() stores the price that it returns. An eth_call returns the price that the block's transactions
// get.
const abi = parseAbi([
  'function priceFeed() view returns (address)',
  'function lusdToken() view returns (address)',
  'function borrowerOperationsAddress() view returns (address)',
  'function stabilityPool() view returns (address)',
  'function getTotalLUSDDeposits() view returns (uint256)',
  'function getMaxAmountToOffset() view returns (uint256)',
  'function MCR() view returns (uint256)',
  'function CCR() view returns (uint256)',
  'function getTCR(uint256 price) view returns (uint256)',
  'function getEntireSystemColl() view returns (uint256)',
  'function getEntireSystemDebt() view returns (uint256)',
  'function getTroveStatus(address borrower) view returns (uint256)',
  'function getEntireDebtAndColl(address borrower) view returns (uint256 debt, uint256 coll, uint256 pendingDebt, uint256 pendingColl)',
  'function getCurrentICR(address borrower, uint256 price) view returns (uint256)',
  'function fetchPrice() view returns (uint256)',
]);
/** The events of the operations for every trove that is opened, adjusted or closed. */
const OPENING_EVENTS = walletEvents(
  parseAbi([
    'event TroveUpdated(address indexed borrower, uint256 debt, uint256 coll, uint256 stake, uint8 operation)',
  ]),
  { TroveUpdated: [1] },
);
const ACTIVE = 1n;
const DECIMALS = 18;

interface LiquityLayout {
  troveManager: Address;
  /** The only contract that opens troves. */
  operations: Address;
  priceFeed: Address;
  stabilityPool: Address;
  lusd: Token;
  native: Token;
  minimum: bigint;
  critical: bigint;
}

interface LiquityMarket {
  layout: LiquityLayout;
  block: BlockRef;
  price: bigint;
  /** The market price of LUSD in dollars, wad. Null if no oracle of the chain has it. */
  lusdUsd: bigint | null;
  thresholds: TroveThresholds;
}

interface TroveAccount extends HeldAccount {
  /** Null when the wallet has no active trove. */
  trove: { collateral: bigint; debt: bigint } | null;
}

/** Liquity v1: one trove a wallet. Redistributions and redemptions change troves without naming their owners. */
export const liquityV1: Family<LiquityLayout, LiquityMarket, TroveAccount> = {
  async readLayout({ row, multicall, nativeCurrency }, block) {
    const troveManager = contractOf(row, 'troveManager');
    const entry = planOf(row, 'trove manager');
    const [feed, lusd, operations, pool] = (
      ['priceFeed', 'lusdToken', 'borrowerOperationsAddress', 'stabilityPool'] as const
    ).map((name) => entry.call(troveManager, abi, name, []));
    const [minimum, critical] = (['MCR', 'CCR'] as const).map((name) =>
      entry.call(troveManager, abi, name, []),
    );
    const found = await multicall.read(
      entry.build(({ value }) => ({
        priceFeed: lowerCase(value(feed!)),
        lusd: lowerCase(value(lusd!)),
        operations: lowerCase(value(operations!)),
        stabilityPool: lowerCase(value(pool!)),
        minimum: value(minimum!),
        critical: value(critical!),
      })),
      block,
    );
    const native = { address: zeroAddress, symbol: nativeCurrency, decimals: DECIMALS };
    return { ...found, troveManager, native, lusd: await readToken({ row, multicall }, found.lusd, block) };
  },

  async readMarket({ row, multicall, usdOracles }, layout, block) {
    const price = await readAll({ row, multicall }, 'price', block, (plan) =>
      plan.call(layout.priceFeed, abi, 'fetchPrice', []),
    );
    const { total, deposits, offset, lusdUsd } = await readAll(
      { row, multicall },
      'system',
      block,
      (plan) => ({
        total: plan.call(layout.troveManager, abi, 'getTCR', [price]),
        deposits: plan.call(layout.stabilityPool, abi, 'getTotalLUSDDeposits', []),
        // Later versions leave one LUSD in the pool.
        offset: plan.attempt(layout.stabilityPool, abi, 'getMaxAmountToOffset', []),
        lusdUsd: addUsdPrice(plan, usdOracles, layout.lusd.address),
      }),
    );
    const { minimum, critical } = layout;
    const thresholds = { minimum, critical, total, offset: offset.ok ? offset.value : deposits };
    return { layout, block, price, lusdUsd, thresholds };
  },

  async readAccounts({ row, multicall }, holders, block) {
    const troveManager = contractOf(row, 'troveManager');
    const plan = planOf(row, 'troves');
    const slots = holders.map(({ wallet }) => ({
      wallet,
      status: plan.call(troveManager, abi, 'getTroveStatus', [wallet]),
      amounts: plan.call(troveManager, abi, 'getEntireDebtAndColl', [wallet]),
    }));
    return multicall.read(
      plan.build(({ value }) => {
        const accounts = slots.map(({ wallet, status, amounts }): [Address, TroveAccount] => {
          const [debt, collateral] = value(amounts);
          return [wallet, { wallet, trove: value(status) === ACTIVE ? { collateral, debt } : null }];
        });
        return { accounts: new Map(accounts), failed: [] };
      }),
      block,
    );
  },

  evaluate(row, { layout, block, price, lusdUsd, thresholds }, { wallet, trove }) {
    if (!trove) return [];
    const threshold = troveThreshold(thresholds, trove.debt);
    const ratio = troveRatio(trove, price);
    const position: RawPosition = {
      ...positionBase(row, block, wallet),
      legs: [
        {
          ...layout.native,
          side: 'collateral',
          amountRaw: trove.collateral,
          scaledRaw: trove.collateral,
          priceRaw: price,
          priceDecimals: DECIMALS,
          oracle: layout.priceFeed,
          liquidationThresholdBps: (WAD * 10_000n) / threshold,
          usedAsCollateral: true,
        },
        debtLeg(dollarToken(layout.lusd, layout.priceFeed, lusdUsd), { amountRaw: trove.debt }),
      ],
      totalCollateralRaw: (trove.collateral * price) / WAD,
      totalDebtRaw: trove.debt,
      priceDecimals: DECIMALS,
      usdPerBaseRaw: WAD,
      healthFactorRaw: ratio === null ? null : troveHealthFactor(ratio, threshold),
      flags: thresholds.total < thresholds.critical ? ['recovery_mode'] : [],
    };
    return [position];
  },

  /** Debts bear no interest: they change with actions, redemptions and redistributions. No LUSD is lent. */
  async readRates(_scope, _block, market) {
    const { lusd, native } = (await market()).layout;
    return [
      {
        subId: '',
        token: lusd.address,
        symbol: lusd.symbol,
        collateral: { token: native.address, symbol: native.symbol },
        unit: PER_SECOND,
        supply: null,
        borrow: { raw: 0n, statedBy: null },
      },
    ];
  },

  opened: ({ layout }) => ({ addresses: [layout.operations], ...OPENING_EVENTS }),

  planTotals({ row }, { layout, block, price, lusdUsd }) {
    const plan = planOf(row, 'totals');
    const collateral = plan.call(layout.troveManager, abi, 'getEntireSystemColl', []);
    const debt = plan.call(layout.troveManager, abi, 'getEntireSystemDebt', []);
    return plan.build(({ value }) =>
      mintedTotals(
        [
          {
            collateralUsd: toUsd((value(collateral) * price) / WAD, DECIMALS, WAD),
            debtUsd: toUsd(value(debt), DECIMALS, lusdUsd ?? WAD),
          },
        ],
        block.number,
      ),
    );
  },

  planFigures({ row }, { layout, price, thresholds }, positions) {
    const plan = planOf(row, 'ratios');
    const slots = positions.map(({ wallet }) =>
      plan.call(layout.troveManager, abi, 'getCurrentICR', [wallet, price]),
    );
    return plan.build(({ outcome }) =>
      slots.map((slot, index) => {
        const ratio = outcome(slot);
        const threshold = troveThreshold(thresholds, positions[index]!.totalDebtRaw);
        return ratio.ok
          ? { ok: true, value: { healthFactor: troveHealthFactor(ratio.value, threshold) } }
          : ratio;
      }),
    );
  },
};
