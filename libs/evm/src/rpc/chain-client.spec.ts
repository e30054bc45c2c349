import { RetryBudget } from './chain-client';

describe('RetryBudget', () => {
  it('permits retries until it is empty', () => {
    const budget = new RetryBudget(0.25, 2);
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false]);
  });

  it('earns a retry with every few requests, up to its capacity', () => {
    const budget = new RetryBudget(0.25, 2);
    budget.spend();
    budget.spend();
    for (let i = 0; i < 4; i += 1) budget.earn();
    expect([budget.spend(), budget.spend()]).toEqual([true, false]);
    for (let i = 0; i < 400; i += 1) budget.earn();
    expect([budget.spend(), budget.spend(), budget.spend()]).toEqual([true, true, false]);
  });
});
