import type { Address } from 'viem';
import { describeFamily } from '../../test/describe-family';
import { expectTotalsOf } from '../../test/expect-totals';
import { standIns } from '../../test/local-chain';
import { ASSETS, randomBook } from '../../test/random-book';
import { inParts, useLocalChain } from '../../test/use-local-chain';
import { comet } from './reader';

const WAD = 10n ** 18n;

const local = useLocalChain();

const cometCase = describeFamily('comet', comet, local, async (chain, wallets) => {
  const { Comet, PriceFeed, Token, UsdOracle } = standIns();
  const tokens: Address[] = [];
  const priceFeeds: Address[] = [];
  for (const { symbol, decimals, price } of ASSETS) {
    tokens.push(await chain.deploy(Token!, [symbol, decimals]));
    priceFeeds.push(await chain.deploy(PriceFeed!, [price, 8]));
  }
  const usdc = 2;
  const address = await chain.deploy(Comet!, [tokens[usdc], priceFeeds[usdc], 10n ** 6n]);
  const usdOracle = await chain.deploy(UsdOracle!);
  const call = { to: address, abi: Comet!.abi };
  const book = randomBook(5, wallets);
  const collateralIds = [0, 1, 3];
  for (const id of collateralIds) {
    const { decimals, threshold } = ASSETS[id]!;
    await chain.send([
      { ...call, name: 'addAsset', args: [tokens[id], priceFeeds[id], 10n ** BigInt(decimals), threshold] },
    ]);
    const balances = book.map(({ supplied }) => supplied[id]!);
    await chain.send(
      inParts({ ...call, name: 'setCollateral' }, [collateralIds.indexOf(id)], [wallets, balances]),
    );
  }
  const principals = book.map(({ supplied, owed }) => {
    const owes = owed.some((quantity) => quantity > 0n);
    if (!owes) return 1n + supplied[usdc]!;
    const usd = owed.reduce(
      (sum, quantity, id) => sum + (quantity * ASSETS[id]!.price) / 10n ** BigInt(ASSETS[id]!.decimals),
      0n,
    );
    return -1n - usd / 100n;
  });
  await chain.send(inParts({ ...call, name: 'setBase' }, [], [wallets, principals]));
  await chain.send([
    { to: usdOracle, abi: UsdOracle!.abi, name: 'setPrice', args: [tokens[usdc], 100_000_000n] },
  ]);
  return { contracts: { comet: address }, call, heart: address, usdOracles: [usdOracle] };
});

describe('comet events and currencies', () => {
  it('its totals are those of all positions', async () => {
    const block = await local().head();
    const { positions } = await cometCase.reader().readPositions(cometCase.wallets, block);
    expectTotalsOf(await cometCase.reader().readTotals(block), positions);
  });

  it('names the wallet that acted', async () => {
    const reader = cometCase.reader();
    const before = await local().head();
    await reader.readMarket(before);
    const [wallet] = cometCase.wallets;
    await local().send([{ ...cometCase.deployed().call, name: 'setCollateral', args: [0, [wallet], [5n]] }]);
    const { number } = await local().head();
    expect(await reader.readTouchedWallets(before.number + 1n, number)).toEqual([wallet]);
  });

  it("returns the base's yearly rates, and none for collateral", async () => {
    const block = await local().head();
    const { call } = cometCase.deployed();
    const [utilization] = await local().readMany([{ ...call, name: 'getUtilization', args: [] }], block);
    const [supply, borrow] = (
      await local().readMany(
        ['getSupplyRate', 'getBorrowRate'].map((name) => ({ ...call, name, args: [utilization] })),
        block,
      )
    ).map((perSecond) => (Number(perSecond) / 1e18) * (365 * 86_400));
    expect(borrow).toBeGreaterThan(0);
    const { positions } = await cometCase.reader().readPositions(cometCase.wallets, block);
    for (const { side, usedAsCollateral, annualRate } of positions.flatMap(({ legs }) => legs))
      expect(annualRate).toBe(side === 'debt' ? borrow : usedAsCollateral ? 0 : supply);
  });

  it('is in dollars like its feeds', async () => {
    const { positions } = await cometCase.reader().readPositions(cometCase.wallets, await local().head());
    expect(new Set(positions.map(({ usdPerBaseRaw }) => usdPerBaseRaw))).toEqual(new Set([WAD]));
  });
});
