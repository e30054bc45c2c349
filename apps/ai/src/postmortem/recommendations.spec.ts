import { ROOT_CAUSES } from '@plimsoll/contracts';
import { verify } from '../verification/verify';
import { recommendations, safeNowClaims } from './recommendations';

const fact = (id: string, value: number | string, unit: 'usd' | 'ratio' | 'id') => ({
  id,
  label: id,
  value,
  unit,
  time: '2026-11-22T00:00:00.000Z',
  source: 'POST /v1/positions/:id/deleverage',
});
const POSITION = fact('position.pos_1.id', 'pos_1A2b3C4d5E6f7G8h9I0jKL', 'id');
const HEALTH = fact('position.pos_1.healthFactor', 1.07, 'ratio');
const planOf = (repayUsd: number) => ({
  repayUsd: fact('deleverage.pos_1.repayUsd', repayUsd, 'usd'),
  target: fact('deleverage.pos_1.target', 1.5, 'ratio'),
  addUsd: [],
});
const PLAN = planOf(352.5);
const FACTS = new Map([POSITION, HEALTH, PLAN.repayUsd, PLAN.target].map((each) => [each.id, each]));

describe('recommendations', () => {
  it('contain only figures that are facts', () => {
    const claims = [
      ...ROOT_CAUSES.flatMap((cause) => recommendations(cause, '')).flatMap(({ title, description }) => [
        { text: title, factIds: [] },
        { text: description, factIds: [] },
      ]),
      ...safeNowClaims(POSITION, HEALTH, PLAN),
    ];
    const { unsupported, figures } = verify({ claims, cannotAnswer: null }, FACTS, 0);
    expect(unsupported).toEqual([]);
    expect(figures.direct).toBe(3);
  });

  it('begin with the most urgent, and only if an action is necessary', () => {
    const [claim] = safeNowClaims(POSITION, HEALTH, PLAN);
    expect(recommendations('price', claim!.text)[0]).toMatchObject({
      priority: 'high',
      description: claim!.text,
    });
    expect(safeNowClaims(POSITION, HEALTH, planOf(0))).toEqual([]);
    expect(recommendations('price', '').map(({ priority }) => priority)).toEqual(['medium', 'low']);
  });
});
