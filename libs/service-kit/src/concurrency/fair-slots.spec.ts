import { FairSlots } from './fair-slots';

const stays = (): AbortSignal => new AbortController().signal;

describe('FairSlots', () => {
  it('serves a light account before the waiting requests of a heavy one', async () => {
    const slots = new FairSlots({ total: 1 }, 100, () => new Error('busy'));
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
    expect(order.indexOf('light')).toBe(0);
    expect(order).toHaveLength(21);
    expect(slots.isUnused).toBe(true);
  });

  it('refuses the newest waiter of the account with the most, not the account that comes last', async () => {
    const slots = new FairSlots({ total: 1 }, 2, () => new Error('busy'));
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

  describe('with a limit for each account', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    const limited = (): { start(account: string): Promise<() => void>; started: string[] } => {
      const slots = new FairSlots({ total: 4, perAccount: 1 }, 100, () => new Error('busy'));
      const started: string[] = [];
      const start = (account: string): Promise<() => void> =>
        slots.acquire(account, 1, stays()).then((release) => (started.push(account), release));
      return { start, started };
    };

    it('gives all slots to the only account that is active', async () => {
      const { start, started } = limited();
      for (let i = 0; i < 4; i += 1) await start('only');
      expect(started).toHaveLength(4);
    });

    it('leaves slots free while others are active, and lets the account that uses most pause', async () => {
      const { start, started } = limited();
      const light = await start('light');
      light();
      const first = await start('heavy');
      const second = start('heavy');
      await jest.advanceTimersByTimeAsync(30);
      (await start('light'))();
      expect(started).toEqual(['light', 'heavy', 'light']);
      first();
      await jest.advanceTimersByTimeAsync(29);
      expect(started).toHaveLength(3);
      await jest.advanceTimersByTimeAsync(1);
      (await second)();
      expect(started.at(-1)).toBe('heavy');
    });

    it('lets the next request of an account begin when one takes long', async () => {
      const { start, started } = limited();
      (await start('light'))();
      const first = await start('heavy');
      const second = start('heavy');
      await jest.advanceTimersByTimeAsync(49);
      expect(started).toEqual(['light', 'heavy']);
      await jest.advanceTimersByTimeAsync(1);
      (await second)();
      first();
      expect(started).toEqual(['light', 'heavy', 'heavy']);
    });
  });
});
