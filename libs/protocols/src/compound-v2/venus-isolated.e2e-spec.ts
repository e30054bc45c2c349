import { deployVenusPool, venusArtifacts, type VenusPool } from '@plimsoll/devnet';
import type { BlockRef } from '@plimsoll/evm';
import {
  decodeFunctionResult,
  encodeFunctionData,
  multicall3Abi,
  type Abi,
  type Address,
  type Hex,
} from 'viem';
import {
  amountsFrom,
  startLocalChain,
  testWallets,
  type Call,
  type LocalChain,
} from '../../test/local-chain';
import { expectOpened } from '../../test/expect-opened';
import { expectMoves, playMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator } from '../../test/acting-wallets';
import { openReserve } from '../../test/venus-books';
import { logIndex } from '../reader/log-index';
import { venusIsolated } from './reader';
import { FamilyReader } from '../reader/family-reader';
import type { RawPosition } from '../reader/raw-position';

const WAD = 10n ** 18n;
const CODE_SIZE_LIMIT_BYTES = 60_000;
const DAY_SECONDS = 86_400;
const WALLETS = testWallets(220);
/** Prices in dollars with 8 decimals; factors in wad. */
const ASSETS = [
  { symbol: 'WETH', decimals: 18, price: 251_377_123_456n, factor: 800_000_000_000_000_000n },
  { symbol: 'WBTC', decimals: 8, price: 9_123_456_789_012n, factor: 700_123_456_789_012_345n },
  { symbol: 'USDC', decimals: 6, price: 99_981_234n, factor: 820_000_000_000_000_000n },
  { symbol: 'DAI', decimals: 18, price: 100_013_579n, factor: 0n },
] as const;
const WETH = 0;

const artifacts = venusArtifacts();
let chain: LocalChain;
let pool: VenusPool;
const tokens: Address[] = [];
let reader: ReturnType<typeof readerAt>;

const of = (name: 'Comptroller' | 'VToken' | 'MockPriceOracle', to: Address) => ({
  to,
  abi: artifacts[name].abi,
  gas: 2_000_000n,
});
const priceOf = (index: number): bigint => ASSETS[index]!.price * 10n ** BigInt(28 - ASSETS[index]!.decimals);

function readerAt(comptroller: Address) {
  const row = {
    protocol: 'venus',
    family: 'venus-isolated',
    chainId: 1,
    market: 'Core',
    contracts: { comptroller },
  };
  const { client, multicall } = chain;
  return new FamilyReader(venusIsolated, row, { client, multicall, index: logIndex(client), usdOracles: [] });
}

async function openPool(): Promise<void> {
  const { MockToken } = artifacts;
  for (const { symbol, decimals } of ASSETS)
    tokens.push(await chain.deploy(MockToken, [symbol, symbol, decimals]));
  pool = await deployVenusPool(
    chain.rpc,
    chain.operator,
    ASSETS.map(({ symbol, decimals, factor }, index) => ({
      symbol,
      decimals,
      token: tokens[index]!,
      collateralFactor: factor,
      threshold: factor === 0n ? 0n : factor + WAD / 20n,
    })),
    'MockPriceOracle',
    (call) =>
      tokens.forEach((token, index) =>
        call('setPrice', 'MockPriceOracle', 'setPrice', [token, priceOf(index)]),
      ),
  );
  const plenty = 10n ** 36n;
  await chain.send(
    ASSETS.flatMap((_, index) => {
      const token = { to: tokens[index]!, abi: MockToken.abi };
      const vToken = pool.vTokens[index]!;
      return [
        { ...token, name: 'faucet', args: [plenty] },
        { ...token, name: 'approve', args: [vToken, plenty] },
        { ...of('VToken', vToken), name: 'mint', args: [plenty / 10n] },
      ];
    }),
  );
}

/** Supplies of every size, some without collateral use, and debts up to the pool's limit. */
async function openPositions(): Promise<void> {
  const { amount, below, chance, random } = amountsFrom(17);
  const supplies: Call[] = [];
  const entries: Call[] = [];
  const borrows: Call[] = [];
  for (const [index, wallet] of WALLETS.entries()) {
    const chosen = ASSETS.map((_, at) => at).filter((at) => chance(0.5) || at === index % 3);
    let capacity = 0n;
    const entered: Address[] = [];
    for (const at of chosen) {
      const supplied = amount(ASSETS[at]!.decimals);
      const vToken = pool.vTokens[at]!;
      supplies.push({ ...of('VToken', vToken), name: 'mintBehalf', args: [wallet, supplied] });
      if (!chance(0.8)) continue;
      entered.push(vToken);
      // A vToken has eight decimals, so dust is rounded down to zero.
      if (supplied * 1_000n < 10n ** BigInt(ASSETS[at]!.decimals)) continue;
      capacity += (((supplied * priceOf(at)) / WAD) * ASSETS[at]!.factor) / WAD;
    }
    const comptroller = of('Comptroller', pool.comptroller);
    if (entered.length > 0)
      entries.push({ ...comptroller, from: wallet, name: 'enterMarkets', args: [entered] });
    const owing = Math.floor(random() * ASSETS.length);
    const limit = (capacity * WAD) / priceOf(owing);
    const debt = chance(0.3) ? (limit * 99n) / 100n : below(limit);
    if (debt > 0n && chance(0.85)) {
      const vToken = pool.vTokens[owing]!;
      borrows.push({ ...of('VToken', vToken), from: wallet, name: 'borrow', args: [debt] });
    }
  }
  // Calls of two senders have no defined order.
  await chain.send(supplies);
  await chain.send(entries);
  await chain.send(borrows);
}

/** The pool's own figures of each position after interest has accrued, all within one call at the block. */
async function contractFigures(positions: readonly RawPosition[], block: BlockRef) {
  const data = (name: 'Comptroller' | 'VToken', functionName: string, args: readonly unknown[] = []): Hex =>
    encodeFunctionData({ abi: artifacts[name].abi, functionName, args });
  const accruals = pool.vTokens.map((target) => ({ target, callData: data('VToken', 'accrueInterest') }));
  const asked = positions.flatMap(({ wallet }) => [
    { target: pool.comptroller, callData: data('Comptroller', 'getAccountLiquidity', [wallet]) },
    ...pool.vTokens.map((target) => ({ target, callData: data('VToken', 'borrowBalanceStored', [wallet]) })),
  ]);
  const calls = [...accruals, ...asked].map((call) => ({ ...call, allowFailure: false }));
  const response = await chain.rpc.request<Hex>('eth_call', [
    {
      to: chain.multicall3,
      gas: '0x3b9aca00',
      data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
    },
    `0x${block.number.toString(16)}`,
  ]);
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: response })
    .slice(accruals.length)
    .map(({ returnData }) => returnData);
  const width = 1 + pool.vTokens.length;
  return positions.map((_, index) => {
    const [liquidity, ...borrowed] = results.slice(index * width, (index + 1) * width);
    const decode = (name: 'Comptroller' | 'VToken', functionName: string, result: Hex): unknown =>
      decodeFunctionResult({ abi: artifacts[name].abi as Abi, functionName, data: result });
    const [, free, shortfall] = decode('Comptroller', 'getAccountLiquidity', liquidity!) as bigint[];
    const debts = borrowed.map((each) => decode('VToken', 'borrowBalanceStored', each) as bigint);
    const debt = debts.reduce((sum, each, at) => sum + (each * priceOf(at)) / WAD, 0n);
    return { debt, weighted: debt + free! - shortfall!, isShort: shortfall! > 0n };
  });
}

beforeAll(async () => {
  chain = await startLocalChain({ codeSizeLimitBytes: CODE_SIZE_LIMIT_BYTES });
  await openPool();
  await openPositions();
  reader = readerAt(pool.comptroller);
}, 240_000);
afterAll(() => chain?.node.dispose());

describe('an isolated pool of Venus, as Venus published its bytecode', () => {
  it.each([0, 37, 40 * DAY_SECONDS, 400 * DAY_SECONDS])(
    'over 200 positions equals the pool to the wei, %d seconds later',
    async (seconds) => {
      await chain.passTime(seconds);
      const block = await chain.head();
      const { positions, unreadable, mismatches } = await reader.readPositions(WALLETS, block);
      expect({ unreadable, mismatches }).toEqual({ unreadable: [], mismatches: [] });
      expect(positions.length).toBeGreaterThanOrEqual(200);
      const figures = await contractFigures(positions, block);
      expect(positions.map(({ totalDebtRaw, healthFactorRaw }) => [totalDebtRaw, healthFactorRaw])).toEqual(
        figures.map(({ debt, weighted }) => [debt, debt === 0n ? null : (weighted * WAD) / debt]),
      );
    },
  );

  it('has positions without debt, with dust, with huge amounts and with supplies that are no collateral', async () => {
    const { positions } = await reader.readPositions(WALLETS, await chain.head());
    const legs = positions.flatMap((position) => position.legs);
    expect(positions.some(({ healthFactorRaw }) => healthFactorRaw === null)).toBe(true);
    expect(legs.some(({ amountRaw }) => amountRaw < 1_000n)).toBe(true);
    expect(legs.some(({ amountRaw, decimals }) => amountRaw / 10n ** BigInt(decimals) > 10n ** 8n)).toBe(
      true,
    );
    expect(legs.some(({ side, usedAsCollateral }) => side === 'collateral' && !usedAsCollateral)).toBe(true);
  });

  it('its logs name the wallets that open a position', async () => {
    const [stranger] = testWallets(1, 0x9000);
    await expectOpened(chain, reader, stranger!, [
      { ...of('VToken', pool.vTokens[WETH]!), name: 'mintBehalf', args: [stranger, 10n ** 18n] },
    ]);
  });

  it('the health factor is below 1 exactly when the pool reports a shortfall, after a fall of WETH', async () => {
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    const fallen = (priceOf(WETH) * 6n) / 10n;
    await chain.send([
      { ...of('MockPriceOracle', pool.oracle), name: 'setPrice', args: [tokens[WETH], fallen] },
    ]);
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const isShort = (await contractFigures(positions, block)).map((each) => each.isShort);
    const isBelow = positions.map(({ healthFactorRaw }) => healthFactorRaw !== null && healthFactorRaw < WAD);
    expect(isBelow).toEqual(isShort);
    expect(new Set(isShort)).toEqual(new Set([true, false]));
    await chain.rpc.request('evm_revert', [snapshot]);
  });

  it("a market's holdings, loans and rates equal those of its token", async () => {
    const block = await chain.head();
    const market = pool.vTokens[WETH]!;
    const ask = async (functionName: string): Promise<bigint> => {
      const { abi } = artifacts.VToken;
      const data = encodeFunctionData({ abi: abi as Abi, functionName });
      const at = `0x${block.number.toString(16)}`;
      const response = await chain.rpc.request<Hex>('eth_call', [{ to: market, data }, at]);
      return decodeFunctionResult({ abi: abi as Abi, functionName, data: response }) as bigint;
    };
    const state = await reader.readReserve({ token: tokens[WETH]!, subId: '' }, block);
    const [supply, exchangeRate, borrowed, supplyRate, borrowRate, periods] = await Promise.all([
      ask('totalSupply'),
      ask('exchangeRateCurrent'),
      ask('totalBorrowsCurrent'),
      ask('supplyRatePerBlock'),
      ask('borrowRatePerBlock'),
      ask('blocksOrSecondsPerYear'),
    ]);
    const yearly = (rate: bigint): number => (Number(rate) * Number(periods)) / 1e18;
    expect(state).toMatchObject({ suppliedRaw: (supply * exchangeRate) / WAD, borrowedRaw: borrowed });
    expect(state?.borrowRate).toBeGreaterThan(0);
    // In a separate call the token returns the rate from before it has accrued the interest of the block.
    expect(state?.supplyRate).toBeCloseTo(yearly(supplyRate), 6);
    expect(state?.borrowRate).toBeCloseTo(yearly(borrowRate), 6);
  });

  it('the rates of every market are the whole numbers that its token states', async () => {
    const block = await chain.head();
    const rates = (await reader.readRates(block))!;
    expect(rates.map(({ subId }) => subId).toSorted()).toEqual(
      pool.vTokens.map((token) => token.toLowerCase()).toSorted(),
    );
    for (const { subId, unit, supply, borrow } of rates) {
      const names = ['supplyRatePerBlock', 'borrowRatePerBlock', 'blocksOrSecondsPerYear'];
      const stated = await chain.readMany(
        names.map((name) => ({ ...of('VToken', subId as Address), name, args: [] })),
        block,
      );
      expect([supply?.raw, borrow?.raw, BigInt(unit.periodsPerYear!)]).toEqual(stated);
      expect([supply?.statedBy, borrow?.statedBy]).toEqual(names.slice(0, 2));
    }
    expect(rates.some(({ borrow }) => borrow!.raw > 0n)).toBe(true);
  });

  it('the liquidation bonus is what the pool seizes above the repaid debt', async () => {
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const [repaid, WBTC] = [10n ** 18n, 1];
    const [[, seized], rate] = (await chain.readMany(
      [
        {
          ...of('Comptroller', pool.comptroller),
          name: 'liquidateCalculateSeizeTokens',
          args: [pool.vTokens[WETH], pool.vTokens[WBTC], repaid],
        },
        { ...of('VToken', pool.vTokens[WBTC]!), name: 'exchangeRateStored', args: [] },
      ],
      block,
    )) as [[bigint, bigint], bigint];
    const valueOf = (amount: bigint, at: number): number => Number((amount * priceOf(at)) / WAD);
    const bonus = valueOf((seized * rate) / WAD, WBTC) / valueOf(repaid, WETH) - 1;
    const bonuses = positions.flatMap(({ legs }) =>
      legs.filter(({ side }) => side === 'collateral').map((leg) => Number(leg.liquidationBonusBps) / 10_000),
    );
    expect(new Set(bonuses).size).toBe(1);
    expect(bonuses[0]).toBeCloseTo(bonus, 4);
  });
});

describe('the activity of venus-isolated', () => {
  const PLENTY = 10n ** 30n;
  const USDC = 2;
  const loan = 7_000_000_000n;
  const held = { wallet: anna, token: '0x' as Address };
  const owed = { ...held };
  const vToken = (at: number, from: Address, name: string, ...args: readonly unknown[]): Call => ({
    ...of('VToken', pool.vTokens[at]!),
    from,
    name,
    args,
  });
  const setPrice = (mantissa: bigint): Call => ({
    ...of('MockPriceOracle', pool.oracle),
    name: 'setPrice',
    args: [tokens[WETH], mantissa],
  });
  const balanceOf = async (at: number, wallet: Address): Promise<bigint> => {
    const call = { to: tokens[at]!, abi: artifacts.MockToken.abi, name: 'balanceOf', args: [wallet] };
    const [balance] = (await chain.readMany([call], await chain.head())) as [bigint];
    return balance;
  };
  const played = () => ({ family: 'venus-isolated', contracts: { comptroller: pool.comptroller } });
  let snapshot: string;

  beforeAll(async () => {
    snapshot = await chain.rpc.request('evm_snapshot', []);
    held.token = tokens[WETH]!;
    owed.token = tokens[USDC]!;
    const comptroller = of('Comptroller', pool.comptroller);
    const [rights] = (await chain.readMany(
      [{ ...comptroller, name: 'accessControlManager' }],
      await chain.head(),
    )) as [Address];
    const reserve = await openReserve(chain, pool.comptroller, rights);
    const right = [pool.comptroller, 'setMinLiquidatableCollateral(uint256)', chain.operator];
    const funded = [anna, ben, liquidator].flatMap((from) =>
      [WETH, USDC].flatMap((at): Call[] => {
        const token = { to: tokens[at]!, abi: artifacts.MockToken.abi, from };
        return [
          { ...token, name: 'faucet', args: [PLENTY] },
          { ...token, name: 'approve', args: [pool.vTokens[at], PLENTY] },
        ];
      }),
    );
    await chain.send([
      { to: rights, abi: artifacts.AccessControlManager.abi, name: 'giveCallPermission', args: right },
      { ...comptroller, name: 'setMinLiquidatableCollateral', args: [1_000n * WAD] },
      ...pool.vTokens.map((to) => ({
        ...of('VToken', to),
        name: 'setProtocolShareReserve',
        args: [reserve],
      })),
      ...funded,
    ]);
  });
  afterAll(() => chain.rpc.request('evm_revert', [snapshot]));

  it("every action is found once; a liquidator's repayment is the liquidation", async () => {
    const steps: Step[] = [
      {
        call: vToken(WETH, anna, 'mint', 9n * WAD),
        moves: [{ ...held, action: 'supply', amountRaw: 9n * WAD }],
      },
      {
        call: {
          ...of('Comptroller', pool.comptroller),
          from: anna,
          name: 'enterMarkets',
          args: [[pool.vTokens[WETH]]],
        },
        moves: [],
      },
      { call: vToken(USDC, anna, 'borrow', loan), moves: [{ ...owed, action: 'borrow', amountRaw: loan }] },
      {
        call: vToken(USDC, ben, 'repayBorrowBehalf', anna, 300n),
        moves: [{ ...owed, action: 'repay', counterparty: ben, amountRaw: 300n }],
      },
      { call: setPrice(priceOf(WETH) / 3n), moves: [] },
      {
        call: vToken(USDC, liquidator, 'liquidateBorrow', anna, 90_000_000n, pool.vTokens[WETH]),
        moves: [{ ...owed, action: 'liquidation', counterparty: liquidator, amountRaw: 90_000_000n }],
      },
    ];
    const { usd } = await expectMoves(chain, played(), steps);
    const dollars = [ASSETS[WETH].price / 3n, ASSETS[USDC].price].map((price) => price * 10n ** 10n);
    const priced = await usd(tokens[WETH]!, tokens[USDC]!);
    // The price of the smallest unit was divided, which left a remainder.
    expect(priced.map((price) => price! / 10n ** 10n)).toEqual(dollars.map((price) => price / 10n ** 10n));
  });

  it('a withdrawal is what the wallet receives, which the pool rounds', async () => {
    const before = await balanceOf(WETH, ben);
    const calls = [vToken(WETH, ben, 'mint', 5n * WAD), vToken(WETH, ben, 'redeemUnderlying', WAD)];
    const { read } = await playMoves(chain, played(), calls);
    const amountRaw = (await balanceOf(WETH, ben)) - before + 5n * WAD;
    expect(amountRaw).not.toBe(WAD);
    const supplied = { action: 'supply', amountRaw: 5n * WAD };
    expect(read.activities).toMatchObject([
      supplied,
      { ...held, wallet: ben, action: 'withdraw', amountRaw },
    ]);
  });

  it('a debt that is healed is liquidated as far as it was paid, and what is written off is no repayment', async () => {
    const before = await balanceOf(USDC, liquidator);
    const heal = {
      ...of('Comptroller', pool.comptroller),
      from: liquidator,
      name: 'healAccount',
      args: [anna],
    };
    const { read, readByBlock } = await playMoves(chain, played(), [setPrice(priceOf(WETH) / 50n), heal]);
    const amountRaw = before - (await balanceOf(USDC, liquidator));
    expect(amountRaw > 0n && amountRaw < loan / 2n).toBe(true);
    const expected = [{ ...owed, action: 'liquidation', counterparty: liquidator, amountRaw }];
    expect(read.activities).toMatchObject(expected);
    expect(await readByBlock()).toMatchObject(expected);
  });
});
