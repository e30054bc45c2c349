import { WAD } from '../fixed-point/math';
import { confirmPosition } from './confirm';
import type { ContractFigures } from './family';
import { positionBase } from './legs';
import type { RawPosition } from './raw-position';

const wallet = `0x${'01'.repeat(20)}` as const;
const row = { protocol: 'comet', family: 'comet', chainId: 1, market: 'm', contracts: {} };

function position(healthFactorRaw: bigint | null): RawPosition {
  return {
    ...positionBase(row, { number: 1n, hash: `0x${'77'.repeat(32)}`, timestamp: 1n }, wallet),
    legs: [],
    totalCollateralRaw: 300n,
    totalDebtRaw: 200n,
    priceDecimals: 8,
    usdPerBaseRaw: WAD,
    healthFactorRaw,
  };
}

const mismatch = (figure: string, computed: bigint | null, contract: bigint | null) => ({
  wallet,
  figure,
  computed,
  contract,
});

describe('confirmPosition', () => {
  it('the contract’s figures win, and each difference is a mismatch', () => {
    const own = position(2n * WAD);
    const confirmed = confirmPosition(own, { totalCollateral: 301n, totalDebt: 200n, healthFactor: WAD });
    expect(confirmed.position).toMatchObject({
      totalCollateralRaw: 301n,
      totalDebtRaw: 200n,
      healthFactorRaw: WAD,
    });
    expect(confirmed.mismatches).toEqual([
      mismatch('totalCollateral', 300n, 301n),
      mismatch('healthFactor', 2n * WAD, WAD),
    ]);
  });

  it.each<[string, bigint | null, ContractFigures, bigint | null]>([
    ['safe, as we say', 2n * WAD, { isLiquidatable: false }, 2n * WAD],
    ['exactly 1 is safe', WAD, { isLiquidatable: false }, WAD],
    ['liquidatable, as we say', WAD / 2n, { isLiquidatable: true }, WAD / 2n],
    ['safe without debt', null, { isLiquidatable: false }, null],
    ['nothing is stated', WAD / 2n, {}, WAD / 2n],
  ])('a contract that states no number: %s', (_, ours, contract, expected) => {
    const confirmed = confirmPosition(position(ours), contract);
    expect(confirmed.mismatches).toEqual([]);
    expect(confirmed.position.healthFactorRaw).toBe(expected);
  });

  it.each<[string, bigint | null, boolean, bigint]>([
    ['it liquidates what we call safe', 2n * WAD, true, WAD - 1n],
    ['it liquidates where we see no debt', null, true, WAD - 1n],
    ['it does not liquidate what we call liquidatable', WAD / 2n, false, WAD],
  ])(
    'a contract that states the opposite moves the health factor to the nearest that agrees: %s',
    (...args) => {
      const [, ours, isLiquidatable, expected] = args;
      const confirmed = confirmPosition(position(ours), { isLiquidatable });
      expect(confirmed.position.healthFactorRaw).toBe(expected);
      expect(confirmed.mismatches).toEqual([mismatch('healthFactor', ours, expected)]);
    },
  );
});
