import { planOf, walletEvents, type BlockRef, type MarketRow, contractOf, lowerCase } from '@plimsoll/evm';
import { parseAbi, slice, toEventSelector, zeroAddress, type Address, type Hex } from 'viem';
import { WAD } from '../fixed-point/math';
import { accrueMorphoMarket, morphoFigures, type MorphoHolding, type MorphoMarketState } from './math';
import type { Family, HeldAccount, ReadScope } from '../reader/family';
import { yearlyRate, positionBase, basePrice, unreadablePosition } from '../reader/legs';
import { morphoTotals } from './totals';
import { roundingOf, type Ratios } from '../reader/ratios';
import type { RawLeg, RawPosition } from '../reader/raw-position';
import { PER_SECOND, suppliersShare, type AssetRates } from '../reader/asset-rates';
import type { ReserveState } from '../reader/market-totals';
import { addToken, type Token } from '../reader/tokens';
import { addUsdPrice } from '../reader/usd-price';

const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'struct Market { uint128 totalSupplyAssets; uint128 totalSupplyShares; uint128 totalBorrowAssets; uint128 totalBorrowShares; uint128 lastUpdate; uint128 fee; }',
  'function idToMarketParams(bytes32 id) view returns (MarketParams)',
  'function market(bytes32 id) view returns (Market)',
  'function position(bytes32 id, address user) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
  'function feeRecipient() view returns (address)',
  'function price() view returns (uint256)',
  'function borrowRateView(MarketParams marketParams, Market market) view returns (uint256)',
]);

const WALLET_EVENTS = walletEvents(
  parseAbi([
    'event Supply(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets, uint256 shares)',
    'event Withdraw(bytes32 indexed id, address caller, address indexed onBehalf, address indexed receiver, uint256 assets, uint256 shares)',
    'event Borrow(bytes32 indexed id, address caller, address indexed onBehalf, address indexed receiver, uint256 assets, uint256 shares)',
    'event Repay(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets, uint256 shares)',
    'event SupplyCollateral(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets)',
    'event WithdrawCollateral(bytes32 indexed id, address caller, address indexed onBehalf, address indexed receiver, uint256 assets)',
    'event Liquidate(bytes32 indexed id, address indexed caller, address indexed borrower, uint256 repaidAssets, uint256 repaidShares, uint256 seizedAssets, uint256 badDebtAssets, uint256 badDebtShares)',
  ]),
  {
    Supply: [3],
    Withdraw: [2],
    Borrow: [2],
    Repay: [3],
    SupplyCollateral: [3],
    WithdrawCollateral: [2],
    Liquidate: [3],
  },
);

const CREATE_TOPIC = toEventSelector('CreateMarket(bytes32,(address,address,address,address,uint256))');
/** Topics of the events that can open a position, beside it. */
const OPENING_TOPICS = [
  toEventSelector('Supply(bytes32,address,address,uint256,uint256)'),
  toEventSelector('SupplyCollateral(bytes32,address,address,uint256)'),
];

interface MarketParams {
  loanToken: Address;
  collateralToken: Address;
  oracle: Address;
  irm: Address;
  lltv: bigint;
}

interface MorphoLayout {
  morpho: Address;
  markets: ReadonlyMap<string, { params: MarketParams; loan: Token; collateral: Token }>;
}

/**
 * One Morpho market at a block with its interest accrued. Unreadable ones are omitted. `price` is null if
 * its oracle fails.
 */
interface MorphoMarket {
  params: MarketParams;
  loan: Token;
  collateral: Token;
  state: MorphoMarketState;
  /** The rate of its rate model per second, wad. Null without a model: its loans bear no interest. */
  borrowRate: bigint | null;
  price: bigint | null;
  usdPerLoanRaw: bigint | null;
}

interface MorphoBlue {
  block: BlockRef;
  morpho: Address;
  markets: ReadonlyMap<string, MorphoMarket>;
}

interface MorphoAccount extends HeldAccount {
  holdings: ReadonlyMap<string, MorphoHolding>;
}

/** Values in units of the loan token. Oracle and threshold of a market never change. */
const ratios: Ratios<MorphoBlue, MorphoAccount> = {
  shapeOf: () => '',
  unitValuesOf: ({ markets }) =>
    new Map(
      [...markets].flatMap(([id, { state, price }]): [string, number][] => [
        ...(price === null ? [] : [[`${id} collateral`, Number(price) / 1e36] as [string, number]]),
        [`${id} debt`, Number(state.totalBorrowAssets + 1n) / Number(state.totalBorrowShares + 1_000_000n)],
      ]),
    ),
  ratiosOf({ markets }, { holdings }, position) {
    const { subId: id } = position;
    const { collateral, borrowShares } = holdings.get(id)!;
    const weight = Number(markets.get(id)!.params.lltv) / 1e18;
    const secures = {
      unitValue: `${id} collateral`,
      side: 'collateral',
      units: Number(collateral),
      weight,
    } as const;
    const owed = { unitValue: `${id} debt`, side: 'debt', units: Number(borrowShares), weight: 1 } as const;
    return [{ legs: [secures, owed], within: null, slack: roundingOf(position) }];
  },
};

/**
 * Morpho Blue, Lista Lending: one row is the singleton with all its markets. A sub-id is the id of a market.
 */
export const morphoBlue: Family<MorphoLayout, MorphoBlue, MorphoAccount> = {
  async readLayout({ row, multicall }, block, ids) {
    const morpho = contractOf(row, 'morpho');
    const plan = planOf(row, 'markets');
    const probe = plan.call(morpho, abi, 'feeRecipient', []);
    const slots = ids.map((id) => ({ id, params: plan.call(morpho, abi, 'idToMarketParams', [id as Hex]) }));
    const params = await multicall.read(
      plan.build(({ value }) => {
        value(probe);
        return slots.map((slot) => ({ id: slot.id, params: value(slot.params) }));
      }),
      block,
    );
    const tokens = planOf(row, 'tokens');
    const named = params.map((market) => ({
      ...market,
      loan: addToken(tokens, lowerCase(market.params.loanToken)),
      collateral: addToken(tokens, lowerCase(market.params.collateralToken)),
    }));
    const markets = await multicall.read(
      tokens.build((results) =>
        named.flatMap(({ id, params: own, loan, collateral }) => {
          const [lent, secured] = [loan(results), collateral(results)];
          return lent && secured ? [[id, { params: own, loan: lent, collateral: secured }] as const] : [];
        }),
      ),
      block,
    );
    return { morpho, markets: new Map(markets) };
  },

  async readMarket(scope, layout, block) {
    const stored = await readStored(scope, layout, block);
    const plan = planOf(scope.row, 'rates');
    const rates = stored.map(({ market, params }) =>
      params.irm === zeroAddress ? null : plan.call(params.irm, abi, 'borrowRateView', [params, market]),
    );
    const markets = await scope.multicall.read(
      plan.build(({ outcome }) =>
        stored.flatMap(({ id, market, ...rest }, index): [string, MorphoMarket][] => {
          const rate = rates[index] ? outcome(rates[index]) : null;
          // Any account can open a market. A rate model that reverts affects only its own market.
          if (rate?.ok === false) return [];
          const state = accrueMorphoMarket(market, rate?.value ?? null, block.timestamp);
          return [[id, { ...rest, state, borrowRate: rate?.value ?? null }]];
        }),
      ),
      block,
    );
    return { block, morpho: layout.morpho, markets: new Map(markets) };
  },

  async readAccounts({ row, multicall }, holders, block) {
    const morpho = contractOf(row, 'morpho');
    const plan = planOf(row, 'positions');
    const slots = holders.map(({ wallet, subIds }) => ({
      wallet,
      held: subIds.map((id) => ({ id, slot: plan.call(morpho, abi, 'position', [id as Hex, wallet]) })),
    }));
    return multicall.read(
      plan.build(({ value }) => {
        const accounts = slots.map(({ wallet, held }): [Address, MorphoAccount] => {
          const holdings = held
            .map(({ id, slot }): [string, MorphoHolding] => {
              const [supplyShares, borrowShares, collateral] = value(slot);
              return [id, { supplyShares, borrowShares, collateral }];
            })
            .filter(([, own]) => own.supplyShares + own.borrowShares + own.collateral > 0n);
          return [wallet, { wallet, keys: holdings.map(([id]) => id), holdings: new Map(holdings) }];
        });
        return { accounts: new Map(accounts), failed: [] };
      }),
      block,
    );
  },

  evaluate(row, { block, markets }, { wallet, holdings }) {
    const positions: RawPosition[] = [];
    for (const [id, holding] of holdings) {
      const market = markets.get(id);
      const position = market && evaluateHolding(row, block, market, { wallet, id, holding });
      positions.push(position ?? unreadablePosition(row, block, wallet, id));
    }
    return positions;
  },

  touched: ({ morpho }) => ({ addresses: [morpho], ...WALLET_EVENTS }),
  ratios,

  readReserve: (_scope, { markets }, { token, subId }) =>
    Promise.resolve(reserveOf(markets.get(subId), token)),

  async readTotals(scope, block, filedUnder) {
    const { morpho, markets } = await readAllMarkets(scope, block, filedUnder);
    return morphoTotals(scope, block, morpho, [...markets.values()]);
  },

  async readRates(scope, block, _market, filedUnder) {
    const { markets } = await readAllMarkets(scope, block, filedUnder);
    return [...markets].map(([id, market]) => ratesOf(id, market));
  },

  index: async ({ row }) => [
    {
      addresses: [contractOf(row, 'morpho')],
      topics: [CREATE_TOPIC, ...OPENING_TOPICS],
      entriesOf: ({ address, topics }) => {
        const [topic, id, , onBehalf] = topics;
        // All markets are indexed under the contract itself.
        if (id && topic === CREATE_TOPIC) return [{ wallet: lowerCase(address), subId: id }];
        return id && onBehalf ? [{ wallet: slice(onBehalf, 12), subId: id }] : [];
      },
    },
  ],
};

async function readAllMarkets(
  scope: ReadScope,
  block: BlockRef,
  filedUnder: (address: Address) => Promise<readonly string[]>,
): Promise<MorphoBlue> {
  const morpho = contractOf(scope.row, 'morpho');
  const layout = await morphoBlue.readLayout(scope, block, await filedUnder(morpho));
  const market = await morphoBlue.readMarket(scope, layout, block);
  return market ?? { block, morpho, markets: new Map() };
}

/** Morpho states no supply rate. It follows from the borrow rate, the share that is lent, and the fee. */
function ratesOf(id: string, { loan, collateral, state, borrowRate }: MorphoMarket): AssetRates {
  const { totalSupplyAssets: supplied, totalBorrowAssets: borrowed, fee } = state;
  const raw = borrowRate ?? 0n;
  return {
    subId: id,
    token: lowerCase(loan.address),
    symbol: loan.symbol,
    collateral: { token: lowerCase(collateral.address), symbol: collateral.symbol },
    unit: PER_SECOND,
    supply: { raw: suppliersShare(raw, { supplied, borrowed, fee }), statedBy: null },
    // Loans of a market without a rate model bear no interest.
    borrow: { raw, statedBy: borrowRate === null ? null : 'borrowRateView' },
  };
}

/** A market keeps no sum of its collateral and does not lend it, so there is no reserve of that token. */
function reserveOf(market: MorphoMarket | undefined, token: Address): ReserveState | null {
  if (!market || lowerCase(market.loan.address) !== token) return null;
  const { totalSupplyAssets, totalBorrowAssets, fee } = market.state;
  const borrowRate = yearlyRate(market.borrowRate ?? 0n);
  const utilisation = totalSupplyAssets > 0n ? Number(totalBorrowAssets) / Number(totalSupplyAssets) : 0;
  return {
    suppliedRaw: totalSupplyAssets,
    borrowedRaw: totalBorrowAssets,
    supplyRate: borrowRate * utilisation * (1 - Number(fee) / Number(WAD)),
    borrowRate,
  };
}

/** The markets as stored, with prices. They are arguments of the rate call, so they must be read first. */
async function readStored({ row, multicall, usdOracles }: ReadScope, layout: MorphoLayout, block: BlockRef) {
  const plan = planOf(row, 'market states');
  const slots = [...layout.markets].map(([id, own]) => ({
    id,
    ...own,
    market: plan.call(layout.morpho, abi, 'market', [id as Hex]),
    price: plan.call(own.params.oracle, abi, 'price', []),
    usd: addUsdPrice(plan, usdOracles, own.loan.address),
  }));
  const stored = plan.build((results) =>
    slots.map(({ market, price, usd, ...rest }) => {
      const result = results.outcome(price);
      return {
        ...rest,
        market: results.value(market),
        price: result.ok ? result.value : null,
        usdPerLoanRaw: usd(results),
      };
    }),
  );
  return multicall.read(stored, block);
}

function evaluateHolding(
  row: MarketRow,
  block: BlockRef,
  { params, loan, collateral, state, borrowRate, price, usdPerLoanRaw }: MorphoMarket,
  { wallet, id, holding }: { wallet: Address; id: string; holding: MorphoHolding },
): RawPosition | null {
  const { supplyShares, borrowShares } = holding;
  // Any account can add collateral without a price to a wallet. That alone must not make the wallet's debts
  // unreadable.
  if (price === null && borrowShares > 0n) return null;
  const figures = morphoFigures(state, holding, price ?? 0n, params.lltv);
  const inLoan = {
    symbol: loan.symbol,
    address: loan.address,
    decimals: loan.decimals,
    priceRaw: 10n ** BigInt(loan.decimals),
    priceDecimals: loan.decimals,
    oracle: row.contracts['morpho'] as Address,
    liquidationThresholdBps: 0n,
    usedAsCollateral: false,
  };
  const legs: RawLeg[] = [];
  if (holding.collateral > 0n) {
    legs.push({
      ...collateral,
      side: 'collateral',
      amountRaw: holding.collateral,
      scaledRaw: holding.collateral,
      ...basePrice(price ?? 0n, 36 + loan.decimals - collateral.decimals),
      oracle: lowerCase(params.oracle),
      liquidationThresholdBps: params.lltv / 10n ** 14n,
      usedAsCollateral: true,
      // Collateral is not lent.
      annualRate: 0,
    });
  }
  if (supplyShares > 0n)
    legs.push({ ...inLoan, side: 'collateral', amountRaw: figures.supplyAssets, scaledRaw: supplyShares });
  if (borrowShares > 0n) {
    const annualRate = yearlyRate(borrowRate ?? 0n);
    legs.push({
      ...inLoan,
      side: 'debt',
      amountRaw: figures.borrowAssets,
      scaledRaw: borrowShares,
      annualRate,
    });
  }
  return {
    ...positionBase(row, block, wallet, id),
    legs,
    totalCollateralRaw: figures.collateralValue,
    totalDebtRaw: figures.borrowAssets,
    priceDecimals: loan.decimals,
    usdPerBaseRaw: usdPerLoanRaw ?? (borrowShares > 0n ? null : 0n),
    healthFactorRaw: figures.healthFactor,
    ...((price === null || usdPerLoanRaw === null) && { verification: 'approximate' as const }),
  };
}
