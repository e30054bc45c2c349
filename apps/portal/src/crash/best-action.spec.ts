import { bestAction } from './best-action';
import type { Alert } from './alert';

const alert = (id: string, usdAtStake: number | null, ...costs: number[]): Alert =>
  ({
    id,
    positionId: `pos_${id}`,
    usdAtStake,
    targetHealthFactor: costs.length > 0 ? 1.5 : null,
    remedies: costs.map((usd, index) => ({
      action: index === 0 ? 'repay' : 'add_collateral',
      asset: 'USDC',
      usd,
    })),
  }) as unknown as Alert;

describe('the action that helps most per dollar', () => {
  it('has the most US dollars at stake for each dollar that it needs', () => {
    const best = bestAction([
      alert('a', 1_000, 100, 80),
      alert('b', 50_000, 10_000, 9_000),
      alert('c', 300, 20),
    ]);
    expect([best?.alert.id, best?.remedy.usd, best?.perDollar]).toEqual(['c', 20, 15]);
  });

  it('is the first by the id of its alert where two are equal', () => {
    expect(bestAction([alert('b', 100, 10), alert('a', 200, 20)])?.alert.id).toBe('a');
  });

  it('is none without a remedy, without a stake and without alerts', () => {
    expect(bestAction([])).toBeNull();
    expect(
      bestAction([alert('a', 100), alert('b', null, 10), alert('c', 0, 10), alert('d', 5, 0)]),
    ).toBeNull();
  });
});
