import { lossAssumptions, lossTerms } from './loss-terms';

const leg = (asset: string, liquidationThreshold: number, liquidationBonus = 0) => ({
  asset,
  amount: 1,
  priceUsd: 100,
  liquidationThreshold,
  liquidationBonus,
});
const position = (...collateral: ReturnType<typeof leg>[]) => ({ collateral, debt: [] });

describe('lossTerms', () => {
  it('keeps the bonus of the market', () => {
    const terms = lossTerms(position(leg('ETH', 0.8, 0.0625), leg('USDT', 0)), 'aave-v3');
    expect(lossAssumptions(terms)).toMatchObject({
      bonusBasis: 'market',
      liquidationBonus: { ETH: 0.0625 },
    });
  });

  it('counts a bonus only as far as a position at HF 1 can pay it', () => {
    const terms = lossTerms(position(leg('ETH', 0.9, 0.1765), leg('BTC', 0.75, 0.1765)), 'euler-v2');
    expect(terms.bonusBasis).toBe('market');
    expect(terms.risk.collateral.map(({ liquidationBonus }) => liquidationBonus)).toEqual([
      1 / 0.9 - 1,
      0.1765,
    ]);
  });

  it('uses the typical bonus where the market’s is not read, and says so', () => {
    const terms = lossTerms(position(leg('ETH', 0.8, 0.0625), leg('BTC', 0.75)), 'aave-v3');
    expect(lossAssumptions(terms)).toMatchObject({
      bonusBasis: 'typical',
      liquidationBonus: { ETH: 0.0625, BTC: 0.05 },
    });
  });

  it('names the rule of a protocol that computes it', () => {
    const terms = lossTerms(position(leg('ETH', 0.86)), 'morpho-blue');
    expect(lossAssumptions(terms).bonusBasis).toBe('protocol_rule');
  });
});
