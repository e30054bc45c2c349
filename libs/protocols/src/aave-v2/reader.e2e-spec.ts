import { venusArtifacts } from '@plimsoll/devnet';
import type { Address } from 'viem';
import { deployAaveV2, type AaveV2Market } from '../../test/aave-v2';
import { bonusesOf } from '../../test/bonuses-of';
import { describeGenuineFamily } from '../../test/describe-family';
import { expectTotalsOf } from '../../test/expect-totals';
import { amountsFrom, standIns, type Call, type LocalChain } from '../../test/local-chain';
import { expectMoves, type Step } from '../../test/play-moves';
import { anna, ben, liquidator } from '../../test/acting-wallets';
import { useLocalChain } from '../../test/use-local-chain';
import { aaveV2 } from './reader';

const WAD = 10n ** 18n;
/** Dollars with 8 decimals. */
const ETHER_USD = 2_513_771_234_56n;
const WETH = 0;
const STABLE_RATE = 1n;
const VARIABLE_RATE = 2n;
/** Prices in dollars with 8 decimals. WISE is not collateral. */
const ASSETS = [
  { symbol: 'WETH', decimals: 18, price: ETHER_USD, ltv: 8_000, threshold: 8_250 },
  { symbol: 'WBTC', decimals: 8, price: 91_234_567_890_12n, ltv: 7_000, threshold: 7_500 },
  { symbol: 'USDC', decimals: 6, price: 99_981_234n, ltv: 8_000, threshold: 8_550 },
  { symbol: 'DAI', decimals: 18, price: 100_013_579n, ltv: 7_500, threshold: 8_031 },
  { symbol: 'WISE', decimals: 18, price: 12_345_678n, ltv: 0, threshold: 0 },
] as const;
const inEther = (usd: bigint): bigint => (usd * WAD) / ETHER_USD;

const local = useLocalChain();
let market: AaveV2Market;

const poolCall = (name: string, args: readonly unknown[], from?: Address): Call =>
  market.call('LendingPool', market.pool, name, args, from);
const tokenOf = (id: number): Address => market.assets[id]!.token;

/**
 * Every wallet supplies one to three assets and owes up to two, at both kinds of rates. Some wallets disable
 * a supply as collateral.
 */
async function openPositions(chain: LocalChain, wallets: readonly Address[]): Promise<void> {
  const { below, chance, amount, random } = amountsFrom(22);
  const pick = (): number => Math.floor(random() * ASSETS.length);
  const [unused, borrows]: [Call[], Call[]] = [[], []];
  const supplies = ASSETS.map(({ decimals }, id) =>
    poolCall('deposit', [tokenOf(id), 10n ** BigInt(decimals + 16), chain.operator, 0]),
  );
  for (const wallet of wallets) {
    const supplied = new Set([pick(), pick(), Math.floor(random() * 4)]);
    let limitUsd = 0n;
    for (const id of supplied) {
      const { decimals, price, ltv } = ASSETS[id]!;
      const quantity = amount(decimals);
      supplies.push(poolCall('deposit', [tokenOf(id), quantity, wallet, 0]));
      if (ltv === 0) continue;
      if (chance(0.2)) unused.push(poolCall('setUserUseReserveAsCollateral', [tokenOf(id), false], wallet));
      else limitUsd += (((quantity * price) / 10n ** BigInt(decimals)) * BigInt(ltv)) / 10_000n;
    }
    for (const id of new Set([pick(), pick()])) {
      const { decimals, price } = ASSETS[id]!;
      const debt = (below((limitUsd * 48n) / 100n) * 10n ** BigInt(decimals)) / price;
      // At a stable rate no wallet may borrow an asset that secures its own debt.
      const rate = supplied.has(id) || chance(0.6) ? VARIABLE_RATE : STABLE_RATE;
      if (debt > 1n && chance(0.8))
        borrows.push(poolCall('borrow', [tokenOf(id), debt, rate, 0, wallet], wallet));
    }
  }
  // In phases, because the node may mine calls of different senders in any order.
  for (const phase of [supplies, unused, borrows]) await chain.send(phase);
}

/**
 * The balances of the pool's tokens, which Token does not track: stable rates depend on the available
 * liquidity.
 */
async function fillTokens(chain: LocalChain): Promise<void> {
  const block = await chain.head();
  const data = (await chain.readMany(
    market.assets.map(({ token }) => poolCall('getReserveData', [token])),
    block,
  )) as { aTokenAddress: Address }[];
  await chain.send(
    data.map(({ aTokenAddress }, id) => ({
      to: tokenOf(id),
      abi: standIns()['Token']!.abi,
      name: 'hold',
      args: [aTokenAddress, 10n ** BigInt(ASSETS[id]!.decimals + 16)],
    })),
  );
}

const v2 = describeGenuineFamily('aave-v2', aaveV2, local, async (chain, wallets) => {
  const listings = ASSETS.map((asset) => ({ ...asset, priceWei: inEther(asset.price) }));
  market = await deployAaveV2(chain, listings, WETH);
  const { PriceFeed, UsdOracle } = standIns();
  const usdOracle = await chain.deploy(UsdOracle!);
  await chain.send(
    ASSETS.map(({ price }, id) => ({
      to: usdOracle,
      abi: UsdOracle!.abi,
      name: 'setPrice',
      args: [tokenOf(id), price],
    })),
  );
  await fillTokens(chain);
  await openPositions(chain, wallets);
  // No wallet may borrow more than its limit, so a falling price makes the liquidatable ones.
  const wbtc = 1;
  await chain.send([
    {
      to: market.assets[wbtc]!.feed,
      abi: PriceFeed!.abi,
      name: 'setAnswer',
      args: [inEther(61_234_567_890_12n)],
    },
  ]);
  return {
    contracts: { addressesProvider: market.addressesProvider },
    figures: poolCall('getUserAccountData', []),
    // (collateral, debt, available, threshold, ltv, health factor)
    figuresOf: ([collateral, debt, , , , healthFactor]) => [collateral!, debt!, healthFactor!],
    heart: market.pool,
    usdOracles: [usdOracle],
  };
});

/** The token of a reserve that the market issues for supplies. */
async function aTokenOf(token: Address): Promise<Address> {
  const call = poolCall('getReserveData', [token]);
  const [{ aTokenAddress }] = (await local().readMany([call], await local().head())) as [
    { aTokenAddress: Address },
  ];
  return aTokenAddress;
}

describe('aave-v2 with an oracle in ether', () => {
  it('its totals are those of all positions, in dollars, and of the available liquidity', async () => {
    const block = await local().head();
    const { positions } = await v2.reader().readPositions([...v2.wallets, local().operator], block);
    expectTotalsOf(await v2.reader().readTotals(block), positions);
  });

  it('the totals come with the price of ether in dollars', async () => {
    const { positions } = await v2.reader().readPositions(v2.wallets, await local().head());
    expect(new Set(positions.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(
      new Set([ETHER_USD * 10n ** 10n]),
    );
    expect(new Set(positions.map(({ priceDecimals }) => priceDecimals))).toEqual(new Set([18]));
  });

  it('the positions include debts at both kinds of rates, supplies that secure nothing, and one without a threshold', async () => {
    const block = await local().head();
    const { accounts } = await v2.reader().readAccounts(v2.wallets, block);
    const balances = [...accounts.values()].flatMap((account) => [...account.balances.values()]);
    expect(balances.filter(({ stableDebt }) => stableDebt.principal > 0n).length).toBeGreaterThan(20);
    expect(balances.filter(({ scaledVariableDebt }) => scaledVariableDebt > 0n).length).toBeGreaterThan(50);
    const { positions } = await v2.reader().readPositions(v2.wallets, block);
    const collateral = positions.flatMap(({ legs }) => legs).filter(({ side }) => side === 'collateral');
    expect(collateral.filter(({ usedAsCollateral }) => !usedAsCollateral).length).toBeGreaterThan(20);
    expect(
      collateral.some(
        ({ symbol, liquidationThresholdBps }) => symbol === 'WISE' && liquidationThresholdBps > 0n,
      ),
    ).toBe(false);
  });

  it('names the wallets that an act affects', async () => {
    const reader = v2.reader();
    const before = await local().head();
    await reader.readMarket(before);
    const [payer, receiver] = v2.wallets as [Address, Address];
    await local().send([poolCall('deposit', [tokenOf(WETH), 5n, receiver, 0], payer)]);
    const after = await local().head();
    const market = reader.readMarket(after);
    expect(await reader.readTouchedWallets(before.number + 1n, after.number, market)).toContain(receiver);
  });
});

describe('aave-v2 activity', () => {
  it('every action is found once, also in a reserve that is listed later', async () => {
    const weth = tokenOf(WETH);
    const { usdOracles } = v2.deployed();
    const late = { symbol: 'LATE', decimals: 6, priceWei: WAD / 2_500n, ltv: 7_500, threshold: 8_000 };
    const { MockToken } = venusArtifacts();
    // The pool takes its liquidity from the balances of the token.
    const token = await local().deploy(MockToken, [late.symbol, late.symbol, late.decimals]);
    const { feed, calls } = await market.prepare(late, token);
    const million = 10n ** 12n;
    const funded = [ben, liquidator].flatMap((from): Call[] => [
      { to: token, abi: MockToken.abi, name: 'faucet', args: [2n * million], from },
      { to: token, abi: MockToken.abi, name: 'approve', args: [market.pool, 2n * million], from },
    ]);
    const held = { wallet: anna, token: weth };
    const owed = { wallet: anna, token };
    const setAnswer = {
      to: feed,
      abi: standIns()['PriceFeed']!.abi,
      name: 'setAnswer',
      args: [WAD / 1_000n],
    };
    const liquidate = (receiveAToken: boolean): Step => ({
      call: poolCall('liquidationCall', [weth, token, anna, 90n, receiveAToken], liquidator),
      moves: [{ ...owed, action: 'liquidation', counterparty: liquidator, amountRaw: 90n }],
    });
    const steps: Step[] = [
      ...[...calls, ...funded].map((call) => ({ call, moves: [] })),
      {
        call: poolCall('deposit', [weth, 9n * WAD, anna, 0], ben),
        moves: [{ ...held, action: 'supply', counterparty: ben, amountRaw: 9n * WAD }],
      },
      {
        call: poolCall('deposit', [token, million, ben, 0], ben),
        moves: [{ action: 'supply', wallet: ben, token, amountRaw: million }],
      },
      {
        call: poolCall('withdraw', [weth, WAD, ben], anna),
        moves: [{ ...held, action: 'withdraw', counterparty: ben, amountRaw: WAD }],
      },
      {
        call: poolCall('borrow', [token, 9_000_000_000n, VARIABLE_RATE, 0, anna], anna),
        moves: [{ ...owed, action: 'borrow', amountRaw: 9_000_000_000n }],
      },
      {
        call: poolCall('repay', [token, 300n, VARIABLE_RATE, anna], ben),
        moves: [{ ...owed, action: 'repay', counterparty: ben, amountRaw: 300n }],
      },
      {
        call: market.call('AToken', await aTokenOf(weth), 'transfer', [ben, 2n * WAD], anna),
        moves: [{ ...held, action: 'transfer', counterparty: ben, amountRaw: 2n * WAD }],
      },
      { call: setAnswer, moves: [] },
      liquidate(false),
      liquidate(true),
    ];
    const contracts = { addressesProvider: market.addressesProvider };
    const { usd } = await expectMoves(local(), { family: 'aave-v2', contracts, usdOracles }, steps);
    expect(await usd(weth, token)).toEqual([ETHER_USD * 10n ** 10n, null]);
  });
});

describe('aave-v2 liquidation bonus', () => {
  it('is that of the configuration word, 105 %', async () => {
    expect(await bonusesOf(v2.reader(), v2.wallets, local())).toEqual(new Set([500n]));
  });
});
