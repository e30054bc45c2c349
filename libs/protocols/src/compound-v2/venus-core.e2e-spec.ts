import { readFileSync } from 'node:fs';
import {
  type Artifact,
  STABLE_POOL,
  type VenusCorePool,
  deployVenusCore,
  venusArtifacts,
  venusCoreArtifacts,
} from '@plimsoll/devnet';
import type { BlockRef } from '@plimsoll/evm';
import {
  decodeFunctionResult,
  encodeFunctionData,
  multicall3Abi,
  numberToHex,
  parseAbi,
  type Abi,
  type Address,
  type Hex,
} from 'viem';
import {
  amountsFrom,
  standIns,
  startLocalChain,
  testWallets,
  type Call,
  type LocalChain,
} from '../../test/local-chain';
import { expectOpened } from '../../test/expect-opened';
import { expectTotalsOf } from '../../test/expect-totals';
import { deployOlderVToken } from '../../test/older-vtokens';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator } from '../../test/acting-wallets';
import { logIndex } from '../reader/log-index';
import { venusCore } from './reader';
import { FamilyReader } from '../reader/family-reader';
import type { RawPosition } from '../reader/raw-position';

const WAD = 10n ** 18n;
const WALLETS = testWallets(220);
const share = (percent: bigint): bigint => (percent * WAD) / 100n;
const ASSETS = [
  { symbol: 'WBNB', decimals: 18, price: 61_234_567_891n, factor: share(78n), threshold: share(80n) },
  { symbol: 'BTCB', decimals: 8, price: 9_123_456_789_012n, factor: share(75n), threshold: share(77n) },
  {
    symbol: 'USDC',
    decimals: 6,
    price: 99_981_234n,
    factor: share(80n),
    threshold: share(83n),
    poolThreshold: share(95n),
  },
  {
    symbol: 'DAI',
    decimals: 18,
    price: 100_013_579n,
    factor: 700_123_456_789_012_345n,
    threshold: share(75n),
    poolThreshold: share(94n),
  },
];
const RATES = parseAbi([
  'function supplyRatePerBlock() view returns (uint256)',
  'function borrowRatePerBlock() view returns (uint256)',
  'function interestRateModel() view returns (address)',
  'function blocksPerYear() view returns (uint256)',
]) as Abi;
const WBNB = 0;
const TOKEN_WITHOUT_DECIMALS =
  '@venusprotocol/venus-protocol/artifacts/contracts/test/WBTC.sol/MintableToken.json';
const STABLES = [2, 3];

let chain: LocalChain;
let pool: VenusCorePool;
const tokens: Address[] = [];
let reader: ReturnType<typeof readerAt>;
const artifacts = venusCoreArtifacts();
const priceOf = (at: number): bigint => ASSETS[at]!.price * 10n ** BigInt(28 - ASSETS[at]!.decimals);

function readerAt(corePool: Address) {
  const contracts = { comptroller: corePool };
  const row = { protocol: 'venus', family: 'venus-core', chainId: 56, market: 'Core', contracts };
  const { client, multicall } = chain;
  return new FamilyReader(venusCore, row, { client, multicall, index: logIndex(client) });
}

async function openPool(): Promise<void> {
  const { MockToken } = venusArtifacts();
  for (const { symbol, decimals } of ASSETS)
    tokens.push(await chain.deploy(MockToken, [symbol, symbol, decimals]));
  pool = await deployVenusCore(
    chain,
    standIns()['VenusCoreOracle']!,
    ASSETS.map((asset, at) => ({ ...asset, token: tokens[at]! })),
  );
  const plenty = 10n ** 36n;
  await chain.send(
    ASSETS.flatMap((_, at) => {
      const token = { to: tokens[at]!, abi: MockToken.abi };
      const vToken = pool.vTokens[at]!;
      return [
        { ...token, name: 'faucet', args: [plenty] },
        { ...token, name: 'approve', args: [vToken, plenty] },
        pool.call('VBep20Immutable', vToken, 'mint', [plenty / 10n]),
      ];
    }),
  );
}

/**
 * Supplies of every size, some of them no collateral, debts of tokens and of VAI, a third of the wallets in
 * the second pool.
 */
async function openPositions(): Promise<void> {
  const { amount, below, chance, random } = amountsFrom(23);
  const phases: Record<'pools' | 'supplies' | 'entries' | 'borrows' | 'mints', Call[]> = {
    pools: [],
    supplies: [],
    entries: [],
    borrows: [],
    mints: [],
  };
  const market = (name: string, args: readonly unknown[], from: Address): Call =>
    pool.call('MarketFacet', pool.comptroller, name, args, from);
  for (const [index, wallet] of WALLETS.entries()) {
    const isStable = chance(0.3);
    if (isStable) phases.pools.push(market('enterPool', [STABLE_POOL], wallet));
    const choice = isStable ? STABLES : ASSETS.map((_, at) => at);
    const chosen = choice.filter((at) => chance(0.5) || at === choice[index % choice.length]);
    let capacity = 0n;
    const entered: Address[] = [];
    for (const at of chosen) {
      const supplied = amount(ASSETS[at]!.decimals);
      const vToken = pool.vTokens[at]!;
      phases.supplies.push(pool.call('VBep20Immutable', vToken, 'mintBehalf', [wallet, supplied]));
      if (!chance(0.8)) continue;
      entered.push(vToken);
      // A vToken has eight decimals, so dust is rounded down to zero.
      if (supplied * 1_000n < 10n ** BigInt(ASSETS[at]!.decimals)) continue;
      capacity += (((supplied * priceOf(at)) / WAD) * ASSETS[at]!.factor) / WAD;
    }
    if (entered.length > 0) phases.entries.push(market('enterMarkets', [entered], wallet));
    const owing = choice[Math.floor(random() * choice.length)]!;
    const mintsVai = !isStable && chance(0.4);
    const limit = ((capacity * WAD) / priceOf(owing) / 100n) * (mintsVai ? 40n : 99n);
    const debt = chance(0.3) ? limit : below(limit);
    if (debt > 0n && chance(0.85))
      phases.borrows.push(pool.call('VBep20Immutable', pool.vTokens[owing]!, 'borrow', [debt], wallet));
    const minted = below(capacity / 20n);
    if (mintsVai && minted > 0n)
      phases.mints.push(pool.call('VAIController', pool.vaiController, 'mintVAI', [minted], wallet));
  }
  // Calls of two senders have no defined order.
  for (const calls of Object.values(phases)) await chain.send(calls);
}

/** The pool's own figures of each position after interest has accrued, all within one call at the block. */
async function contractFigures(positions: readonly RawPosition[], block: BlockRef) {
  const data = (name: keyof typeof artifacts, functionName: string, args: readonly unknown[] = []): Hex =>
    encodeFunctionData({ abi: artifacts[name].abi as Abi, functionName, args });
  const accruals = pool.vTokens.map((target) => ({
    target,
    callData: data('VBep20Immutable', 'accrueInterest'),
  }));
  const asked = positions.flatMap(({ wallet }) => [
    { target: pool.comptroller, callData: data('PolicyFacet', 'getAccountLiquidity', [wallet]) },
    { target: pool.vaiController, callData: data('VAIController', 'getVAIRepayAmount', [wallet]) },
    ...pool.vTokens.map((target) => ({
      target,
      callData: data('VBep20Immutable', 'borrowBalanceStored', [wallet]),
    })),
  ]);
  const calls = [...accruals, ...asked].map((call) => ({ ...call, allowFailure: false }));
  const response = await chain.rpc.request<Hex>('eth_call', [
    {
      to: chain.multicall3,
      gas: '0x77359400',
      data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
    },
    numberToHex(block.number),
  ]);
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: response })
    .slice(accruals.length)
    .map(({ returnData }) => returnData);
  const width = 2 + pool.vTokens.length;
  return positions.map((_, index) => {
    const [liquidity, vai, ...borrowed] = results.slice(index * width, (index + 1) * width);
    const decode = (name: keyof typeof artifacts, functionName: string, result: Hex): unknown =>
      decodeFunctionResult({ abi: artifacts[name].abi as Abi, functionName, data: result });
    const [error, free, shortfall] = decode('PolicyFacet', 'getAccountLiquidity', liquidity!) as bigint[];
    expect(error).toBe(0n);
    const owed = borrowed.map(
      (each, at) => ((decode('VBep20Immutable', 'borrowBalanceStored', each) as bigint) * priceOf(at)) / WAD,
    );
    const vaiOwed = decode('VAIController', 'getVAIRepayAmount', vai!) as bigint;
    const debt = owed.reduce((sum, each) => sum + each, vaiOwed);
    return { debt, weighted: debt + free! - shortfall!, isShort: shortfall! > 0n };
  });
}

/** Interest is by the block. */
const passBlocks = (blocks: number): Promise<unknown> =>
  chain.rpc.request('anvil_mine', [numberToHex(blocks)]);

beforeAll(async () => {
  chain = await startLocalChain();
  await openPool();
  await openPositions();
  reader = readerAt(pool.comptroller);
}, 240_000);
afterAll(() => chain?.node.dispose());

describe('the core pool of Venus, as Venus published its bytecode', () => {
  it.each([0, 1, 40, 500])(
    'over 200 positions equals the pool to the wei, %d blocks later',
    async (blocks) => {
      if (blocks > 0) await passBlocks(blocks);
      const block = await chain.head();
      const { positions, unreadable, mismatches } = await reader.readPositions(WALLETS, block);
      expect({ unreadable, mismatches }).toEqual({ unreadable: [], mismatches: [] });
      expect(positions.length).toBeGreaterThanOrEqual(200);
      const figures = await contractFigures(positions, block);
      expect(positions.map(({ totalDebtRaw, healthFactorRaw }) => [totalDebtRaw, healthFactorRaw])).toEqual(
        figures.map(({ debt, weighted }) => [debt, debt === 0n ? null : (weighted * WAD) / debt]),
      );
    },
    60_000,
  );

  it('has positions with VAI, in the second pool, without debt, with dust, huge ones and supplies that are no collateral', async () => {
    const { positions } = await reader.readPositions(WALLETS, await chain.head());
    const legs = positions.flatMap((position) => position.legs);
    const thresholds = new Set(legs.map(({ liquidationThresholdBps }) => liquidationThresholdBps));
    expect(legs.some(({ symbol, side }) => symbol === 'VAI' && side === 'debt')).toBe(true);
    expect(thresholds).toEqual(new Set([0n, 8_000n, 7_700n, 8_300n, 7_500n, 9_500n, 9_400n]));
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
      pool.call('VBep20Immutable', pool.vTokens[WBNB]!, 'mintBehalf', [stranger, 10n ** 18n]),
    ]);
  });

  it('its totals are those of all positions, without VAI, which the pool itself lends', async () => {
    const block = await chain.head();
    const { positions } = await reader.readPositions([...WALLETS, chain.operator], block);
    const withoutVai = positions.map((position) => ({
      ...position,
      legs: position.legs.filter(({ symbol }) => symbol !== 'VAI'),
    }));
    expectTotalsOf(await reader.readTotals(block), withoutVai);
  });

  it('the rates of every market are the whole numbers that its token states', async () => {
    const block = await chain.head();
    const rates = (await reader.readRates(block))!;
    expect(rates.length).toBeGreaterThan(2);
    const names = ['supplyRatePerBlock', 'borrowRatePerBlock', 'interestRateModel'];
    for (const { subId, unit, supply, borrow } of rates) {
      const [paid, charged, model] = await chain.readMany(
        names.map((name) => ({ to: subId as Address, abi: RATES, name, args: [] })),
        block,
      );
      const blocks = await chain.tryCall(
        { to: model as Address, abi: RATES, name: 'blocksPerYear', args: [] },
        block,
      );
      expect([supply?.raw, borrow?.raw]).toEqual([paid, charged]);
      expect(unit).toMatchObject({ period: 'block', periodsPerYear: blocks && Number(BigInt(blocks)) });
    }
    expect(rates.some(({ borrow }) => borrow!.raw > 0n)).toBe(true);
  });

  it('a comptroller that cannot be read makes its wallets unreadable, and fails the probe of its row', async () => {
    expect(await reader.probe(await chain.head())).toEqual({ ok: true });
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    await chain.rpc.request('anvil_setCode', [pool.comptroller, '0x60006000fd']);
    await chain.passTime(1);
    const block = await chain.head();
    for (const other of [readerAt(pool.comptroller), readerAt(testWallets(1, 0x7000)[0]!)]) {
      expect(await other.probe(block)).toMatchObject({ ok: false, reason: 'call_failed' });
      const read = await other.readPositions(WALLETS, block);
      expect(read).toMatchObject({
        positions: [],
        unreadable: [{ protocol: 'venus', reason: 'call_failed' }],
      });
    }
    await chain.rpc.request('evm_revert', [snapshot]);
  });

  it('a token without decimals() makes what is held in its market unreadable, and nothing else', async () => {
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    const before = await reader.readPositions(WALLETS, await chain.head());
    const nameless = JSON.parse(readFileSync(require.resolve(TOKEN_WITHOUT_DECIMALS), 'utf8')) as Artifact;
    const token = await chain.deploy(nameless);
    const listing = { ...ASSETS[WBNB]!, token, mantissa: priceOf(WBNB) };
    const { vToken, calls } = await deployOlderVToken(chain, pool, listing);
    await chain.send([
      ...calls,
      { to: token, abi: nameless.abi, name: 'mint', args: [ben, WAD] },
      { to: token, abi: nameless.abi, name: 'approve', args: [vToken, WAD], from: ben },
      pool.call('VBep20Immutable', vToken, 'mint', [WAD], ben),
    ]);
    const read = await reader.readPositions([...WALLETS, ben], await chain.head());
    expect(read.unreadable).toEqual([]);
    const unread = read.positions.filter((position) => position.unreadable !== undefined);
    expect(unread).toMatchObject([{ wallet: ben, subId: vToken.toLowerCase(), unreadable: 'call_failed' }]);
    expect(read.positions).toHaveLength(before.positions.length + 1);
    await chain.rpc.request('evm_revert', [snapshot]);
  });

  it('the health factor is below 1 exactly when the pool reports a shortfall, after a fall of WBNB', async () => {
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    const before = ASSETS[WBNB]!.price;
    ASSETS[WBNB]!.price = (before * 6n) / 10n;
    await chain.send([pool.setPrice(pool.vTokens[WBNB]!, priceOf(WBNB))]);
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const isShort = (await contractFigures(positions, block)).map((each) => each.isShort);
    const isBelow = positions.map(({ healthFactorRaw }) => healthFactorRaw !== null && healthFactorRaw < WAD);
    expect(isBelow).toEqual(isShort);
    expect(new Set(isShort)).toEqual(new Set([true, false]));
    ASSETS[WBNB]!.price = before;
    await chain.rpc.request('evm_revert', [snapshot]);
  });

  it('the liquidation bonus is what the pool seizes from a wallet above the repaid debt, in both pools', async () => {
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    const set = (args: readonly unknown[]): Call =>
      pool.call('SetterFacet', pool.comptroller, 'setLiquidationIncentive', args);
    await chain.send([
      ...pool.vTokens.map((vToken) => set([vToken, share(110n)])),
      ...STABLES.map((at) => set([STABLE_POOL, pool.vTokens[at], share(104n)])),
    ]);
    const block = await chain.head();
    const { positions } = await reader.readPositions(WALLETS, block);
    const [usdc, dai] = STABLES as [number, number];
    const repaid = 10n ** 24n;
    const supplies = positions.flatMap(({ wallet, legs }) =>
      legs
        .filter(({ symbol, side }) => symbol === 'USDC' && side === 'collateral')
        .map(({ liquidationBonusBps }) => ({ wallet, bonus: Number(liquidationBonusBps) })),
    );
    const [rate, ...seized] = (await chain.readMany(
      [
        pool.call('VBep20Immutable', pool.vTokens[usdc]!, 'exchangeRateStored'),
        ...supplies.map(({ wallet }) =>
          pool.call('MarketFacet', pool.comptroller, 'liquidateCalculateSeizeTokens', [
            wallet,
            pool.vTokens[dai],
            pool.vTokens[usdc],
            repaid,
          ]),
        ),
      ],
      block,
    )) as [bigint, ...[bigint, bigint][]];
    const valueOf = (amount: bigint, at: number): bigint => (amount * priceOf(at)) / WAD;
    const ofPool = seized.map(([, tokens]) => {
      const value = valueOf((tokens * rate) / WAD, usdc);
      return Number((value * 10_000n) / valueOf(repaid, dai)) - 10_000;
    });
    expect(new Set(supplies.map(({ bonus }) => bonus))).toEqual(new Set([1_000, 400]));
    // Seized tokens are rounded down.
    supplies.forEach(({ bonus }, at) => expect(Math.abs(bonus - ofPool[at]!)).toBeLessThanOrEqual(1));
    await chain.rpc.request('evm_revert', [snapshot]);
  });
});

describe('the activity of', () => {
  const PLENTY = 10n ** 30n;
  const USDC = 2;
  const vTokenCall = (to: Address, from: Address, name: string, ...args: readonly unknown[]): Call =>
    pool.call('VBep20Immutable', to, name, args, from);

  /** Gives the senders of a test the tokens of two markets, and lets these take them. */
  const fund = (markets: readonly Address[]): Promise<void> =>
    chain.send(
      [anna, ben, liquidator].flatMap((from) =>
        [WBNB, USDC].flatMap((at, index): Call[] => {
          const token = { to: tokens[at]!, abi: venusArtifacts().MockToken.abi, from };
          return [
            { ...token, name: 'faucet', args: [PLENTY] },
            { ...token, name: 'approve', args: [markets[index], PLENTY] },
          ];
        }),
      ),
    );

  /** Every action of anna in two markets, with a loan that a fall of the first token leaves short. */
  function stepsIn(held: Address, owed: Address): Step[] {
    const of = (at: number) => ({ wallet: anna, token: tokens[at]! });
    const [supplied, owes] = [of(WBNB), of(USDC)];
    const [loan, repaid] = [3_000_000_000n, 90_000_000n];
    return [
      {
        call: vTokenCall(held, anna, 'mint', 9n * WAD),
        moves: [{ ...supplied, action: 'supply', amountRaw: 9n * WAD }],
      },
      {
        call: vTokenCall(held, anna, 'redeemUnderlying', WAD),
        moves: [{ ...supplied, action: 'withdraw', amountRaw: WAD }],
      },
      {
        call: pool.call('MarketFacet', pool.comptroller, 'enterMarkets', [[held]], anna),
        moves: [],
      },
      {
        call: vTokenCall(owed, anna, 'borrow', loan),
        moves: [{ ...owes, action: 'borrow', amountRaw: loan }],
      },
      {
        call: vTokenCall(owed, ben, 'repayBorrowBehalf', anna, 300n),
        moves: [{ ...owes, action: 'repay', counterparty: ben, amountRaw: 300n }],
      },
      { call: pool.setPrice(held, priceOf(WBNB) / 2n), moves: [] },
      {
        call: vTokenCall(owed, liquidator, 'liquidateBorrow', anna, repaid, held),
        moves: [{ ...owes, action: 'liquidation', counterparty: liquidator, amountRaw: repaid }],
      },
    ];
  }
  const mintBehalf = (held: Address): Step => ({
    call: vTokenCall(held, ben, 'mintBehalf', anna, WAD),
    moves: [{ wallet: anna, token: tokens[WBNB]!, action: 'supply', counterparty: ben, amountRaw: WAD }],
  });
  const incentive = (markets: readonly Address[]): Call[] =>
    markets.map((vToken) =>
      pool.call('SetterFacet', pool.comptroller, 'setLiquidationIncentive', [vToken, share(110n)]),
    );
  const play = (family: string, steps: readonly Step[]) =>
    expectMoves(chain, { family, contracts: { comptroller: pool.comptroller } }, steps);

  it("venus-core: every action is found once; a liquidator's repayment is the liquidation", async () => {
    const snapshot = await chain.rpc.request('evm_snapshot', []);
    const [held, owed] = [pool.vTokens[WBNB]!, pool.vTokens[USDC]!];
    await fund([held, owed]);
    await chain.send(incentive([held]));
    const { usd } = await play('venus-core', [...stepsIn(held, owed), mintBehalf(held)]);
    const dollars = (at: number, parts = 1n): bigint => (ASSETS[at]!.price * 10n ** 10n) / parts;
    expect(await usd(tokens[WBNB]!, tokens[USDC]!)).toEqual([dollars(WBNB, 2n), dollars(USDC)]);
    await chain.rpc.request('evm_revert', [snapshot]);
  });

  it.each(['compound-v2', 'venus-core'])(
    '%s: and in markets of the older kind, one of which is listed later',
    async (family) => {
      const snapshot = await chain.rpc.request('evm_snapshot', []);
      const older = (at: number) =>
        deployOlderVToken(chain, pool, { ...ASSETS[at]!, token: tokens[at]!, mantissa: priceOf(at) });
      const [held, owed] = [await older(WBNB), await older(USDC)];
      await fund([held.vToken, owed.vToken]);
      await chain.send(held.calls);
      const steps = [
        ...[...owed.calls, ...incentive([held.vToken])].map((call) => ({ call, moves: [] })),
        {
          call: vTokenCall(owed.vToken, ben, 'mint', PLENTY / 2n),
          moves: [{ wallet: ben, token: tokens[USDC]!, action: 'supply', amountRaw: PLENTY / 2n } as const],
        },
        ...stepsIn(held.vToken, owed.vToken),
        ...(family === 'venus-core' ? [mintBehalf(held.vToken)] : []),
      ];
      await play(family, steps);
      await chain.rpc.request('evm_revert', [snapshot]);
    },
  );
});
