import { FairSlots } from './fair-slots';

const stays = (): AbortSignal => new AbortController().signal;

describe('FairSlots', () => {
  it('serves a light account after at most one request of a heavy one', async () => {
    const slots = new FairSlots(1, 100, () => new Error('busy'));
    const order: string[] = [];
    const use = (account: string): Promise<void> =>
      slots.acquire(account, 1, stays()).then((release) => {
        order.push(account);
        release();
      });
    const release = await slots.acquire('heavy', 1, stays());
    const all = [...Array.from({ length: 20 }, () => use('heavy')), use('light')];
    release();
    await Promise.all(all);
    expect(order.indexOf('light')).toBeLessThanOrEqual(1);
    expect(order).toHaveLength(21);
    expect(slots.isUnused).toBe(true);
  });

  it('refuses the newest waiter of the account with the most, not the account that comes last', async () => {
    const slots = new FairSlots(1, 2, () => new Error('busy'));
    const release = await slots.acquire('heavy', 1, stays());
    const first = slots.acquire('heavy', 1, stays());
    const second = slots.acquire('heavy', 1, stays());
    const refused = expect(second).rejects.toThrow('busy');
    const light = slots.acquire('light', 1, stays());
    await refused;
    release();
    (await first)();
    (await light)();
    expect(slots.isUnused).toBe(true);
  });
});
