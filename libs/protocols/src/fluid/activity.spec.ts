import { contractOf, readAll } from '@plimsoll/evm';
import { zeroAddress, type Address } from 'viem';
import { legsUsd } from '../../test/expect-totals';
import { openActivity } from '../../test/open-activity';
import { expectRead } from '../../test/play-moves';
import type { ActivityReading } from '../activity/recorded-activity';
import type { PositionsRead } from '../reader/protocol-reader';
import type { RawPosition } from '../reader/raw-position';
import { dexAbi, fluidAbi } from './layout';

const WAD = 10n ** 18n;
const BTC = 10n ** 8n;
const USD = 10n ** 6n;
const [USDC_USD, USDT_USD] = [(9_998n * WAD) / 10_000n, (10_002n * WAD) / 10_000n];

describe('fluid', () => {
  const { named, amounts, read, makeReader, scope, after } = openActivity('fluid/fluid');
  const [anna, ben, carl, dora, lender] = named('anna', 'ben', 'carl', 'dora', 'lender');
  const [liquidator, wbtc, usdc, dex, first] = named('liquidator', 'wbtc', 'usdc', 'dex', 'first');
  const [bensFirst, annas, annasEther, doras, carls] = named(
    'bensFirst',
    'annas',
    'annasEther',
    'doras',
    'carls',
  );
  let reading: ActivityReading;
  beforeAll(async () => {
    reading = await read();
  });
  const of = (id: string): RawPosition => reading.after.positions.find(({ subId }) => subId === id)!;

  it("every action belongs to the NFT's owner, also in a vault that is created later", () => {
    const at = (wallet: Address, subId: string, token: Address) => ({ wallet, subId, token });
    const [given, liquidated] = amounts('given', 'liquidated');
    expectRead(reading.read.activities, reading.readByBlock, [
      { ...at(anna, annas, wbtc), action: 'supply', amountRaw: 7n * BTC },
      { ...at(anna, annas, usdc), action: 'borrow', amountRaw: 40_000n * USD },
      { ...at(anna, annasEther, zeroAddress), action: 'supply', amountRaw: 9n * WAD },
      { ...at(anna, annas, usdc), action: 'repay', amountRaw: 5_000n * USD },
      { ...at(anna, annas, wbtc), action: 'withdraw', amountRaw: BTC },
      { ...at(ben, bensFirst, wbtc), action: 'supply', counterparty: anna, amountRaw: (3n * BTC) / 10n },
      // With the interest of its vault until then.
      { ...at(anna, annas, wbtc), action: 'transfer', counterparty: ben, amountRaw: given },
      { ...at(ben, annas, wbtc), action: 'withdraw', amountRaw: 5n * BTC },
      // The amounts of smart sides are shares of their DEX.
      { ...at(carl, carls, dex), action: 'supply', amountRaw: 500n * WAD },
      { ...at(carl, carls, dex), action: 'borrow', amountRaw: 100n * WAD },
      // The log does not name the positions that lose it, so it belongs to the vault.
      {
        wallet: first,
        token: usdc,
        action: 'liquidation',
        counterparty: liquidator,
        amountRaw: liquidated,
      },
    ]);
  });

  it('a token has the price of an oracle of the chain, and collateral without one has none', () => {
    const prices = [usdc, wbtc].map((token) => reading.tokens.get(token)?.usdRaw);
    expect(prices).toEqual([USDC_USD, null]);
  });

  it('a position belongs to the wallet that received its NFT', () => {
    const shown = ({ positions, unreadable }: PositionsRead) => {
      expect(unreadable).toEqual([]);
      return positions.map(({ wallet, subId }) => [wallet, subId]);
    };
    const ofLender = reading.before.positions.find(({ wallet }) => wallet === lender)!.subId;
    const others = [
      [carl, carls],
      [dora, doras],
      [lender, ofLender],
    ];
    expect(shown(reading.before)).toEqual([[ben, bensFirst], ...others]);
    expect(shown(reading.after)).toEqual([[anna, annasEther], [ben, bensFirst], [ben, annas], ...others]);
  });

  it('DEX shares are one leg with the names of their tokens, and a debt in them has the value of the tokens', async () => {
    const { legs, usdPerBaseRaw } = of(carls);
    expect(legs.map(({ symbol, side, address }) => [symbol, side, address])).toEqual([
      ['USDT/USDC', 'collateral', dex],
      ['USDT/USDC', 'debt', dex],
    ]);
    const state = await readAll(scope, 'shares', after, (plan) =>
      plan.call(contractOf(scope.row, 'dexResolver'), dexAbi, 'getDexState', [dex]),
    );
    const { token0PerBorrowShare: usdts, token1PerBorrowShare: usdcs } = state;
    expect(usdPerBaseRaw).toBe((usdts * USDT_USD) / USD + (usdcs * USDC_USD) / USD);
    const reader = makeReader([]);
    const { positions } = await reader.readPositions([carl], after);
    expect(positions.map((each) => each.usdPerBaseRaw)).toEqual([null]);
  });

  it('a debt in a token without a price has the value of the collateral, by the oracle of the vault', () => {
    const { usdPerBaseRaw, legs } = reading.after.positions.find(({ wallet }) => wallet === lender)!;
    expect(legs.map(({ symbol }) => symbol)).toEqual(['USDC', 'WBTC']);
    expect(Number(usdPerBaseRaw) / Number(90_000n * USDC_USD)).toBeCloseTo(1, 9);
  });

  it('interest alone changes no principal', () => {
    const principals = ({ positions }: PositionsRead) =>
      positions
        .filter(({ wallet }) => wallet === lender)
        .map(({ legs }) => legs.map(({ scaledRaw }) => scaledRaw));
    expect(principals(reading.after)).toEqual(principals(reading.before));
  });

  it('its totals are those of all positions, without their dust', async () => {
    const { positions } = reading.after;
    const resolver = contractOf(scope.row, 'vaultResolver');
    const stated = await readAll(scope, 'dust', after, (plan) =>
      positions.map(({ subId }) => plan.call(resolver, fluidAbi, 'positionByNftId', [BigInt(subId)])),
    );
    const dustUsd = positions.reduce((sum, { usdPerBaseRaw, priceDecimals }, at) => {
      const value = Number(stated[at]!.dustBorrow) * Number(usdPerBaseRaw);
      return sum + value / 10 ** (priceDecimals + 18);
    }, 0);
    expect(dustUsd).toBeGreaterThan(0);
    // Positions of a liquidated tick are rounded down to the 35 bits of its debt factor, and the sums of their vault are not.
    const { suppliedUsd, borrowedUsd } = reading.totals!;
    expect(suppliedUsd / legsUsd(positions, 'collateral')).toBeCloseTo(1, 5);
    expect(borrowedUsd / (legsUsd(positions, 'debt') - dustUsd)).toBeCloseTo(1, 4);
  });
});
