import { RestartBudget } from './supervised';

describe('RestartBudget', () => {
  it('doubles the wait and gives up after five starts in five minutes', () => {
    const budget = new RestartBudget();
    const waits = [0, 1, 2, 3, 4, 5].map((second) => budget.next(second * 1000));
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, undefined]);
  });

  it('forgets starts of more than five minutes ago', () => {
    const budget = new RestartBudget();
    for (let i = 0; i < 5; i += 1) budget.next(0);
    expect(budget.next(299_999)).toBeUndefined();
    expect(budget.next(300_000)).toBe(250);
  });
});
