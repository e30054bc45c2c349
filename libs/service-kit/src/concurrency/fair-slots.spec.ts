import { FairSlots } from './fair-slots';

const stays = (): AbortSignal => new AbortController().signal;
const busy = (): Error => new Error('busy');

describe('FairSlots', () => {
  it('serves a light account before the waiting requests of a heavy one', async () => {
    const slots = new FairSlots({ total: 1 }, 100, busy);
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
    const slots = new FairSlots({ total: 1 }, 2, busy);
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

    /** Requests with a duration in milliseconds, and the most of each account that ran at the same time. */
    class Requests {
      readonly started: string[] = [];
      readonly most = new Map<string, number>();
      readonly #running = new Map<string, number>();
      readonly #slots = new FairSlots({ total: 4, perAccount: 1 }, 100, busy);

      /** Each of the steps takes `ms`. */
      async run(account: string, ms: number, steps = 1): Promise<void> {
        const release = await this.#slots.acquire(account, 1, stays());
        this.started.push(account);
        this.#count(account, 1);
        for (let step = 0; step < steps; step += 1) {
          if (step > 0) await this.#slots.yieldToLighter(account);
          await new Promise((resolve) => setTimeout(resolve, ms));
        }
        this.#count(account, -1);
        release();
      }

      /** Runs one after the other, until `untilMs` of the fake clock. */
      async repeat(account: string, ms: number, untilMs: number, steps = 1): Promise<void> {
        while (performance.now() < untilMs) await this.run(account, ms, steps);
      }

      #count(account: string, by: number): void {
        const now = (this.#running.get(account) ?? 0) + by;
        this.#running.set(account, now);
        this.most.set(account, Math.max(this.most.get(account) ?? 0, now));
      }
    }
    const advance = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

    it('gives all slots to the only account that is active', async () => {
      const requests = new Requests();
      for (let i = 0; i < 4; i += 1) void requests.run('only', 1_000);
      await advance(0);
      expect(requests.started).toHaveLength(4);
    });

    it('leaves slots free while others are active, and lets an account with more demand pause', async () => {
      const requests = new Requests();
      void requests.run('light', 1);
      await advance(2);
      void requests.run('heavy', 30);
      void requests.run('heavy', 30);
      await advance(10);
      void requests.run('light', 1);
      await advance(10);
      expect(requests.started).toEqual(['light', 'heavy', 'light']);
      await advance(30);
      expect(requests.started).toHaveLength(3);
      await advance(20);
      expect(requests.started.slice(3)).toEqual(['heavy']);
    });

    it('lets the next request of an account begin when one takes long', async () => {
      const requests = new Requests();
      void requests.run('light', 1);
      await advance(2);
      void requests.run('heavy', 1_000);
      void requests.run('heavy', 1_000);
      await advance(240);
      expect(requests.started).toEqual(['light', 'heavy']);
      await advance(20);
      expect(requests.started).toEqual(['light', 'heavy', 'heavy']);
    });

    it('lets a heavy account run one at a time beside a light one whose requests take longer', async () => {
      const requests = new Requests();
      const untilMs = performance.now() + 4_000;
      void requests.repeat('light', 150, untilMs);
      await advance(5);
      for (let client = 0; client < 16; client += 1) void requests.repeat('heavy', 40, untilMs);
      await advance(4_000);
      expect(requests.most.get('heavy')).toBe(1);
      expect(requests.started.filter((account) => account === 'light').length).toBeGreaterThan(20);
    });

    it('does not count the time for which a heavy request yields as its own', async () => {
      const requests = new Requests();
      const untilMs = performance.now() + 4_000;
      void requests.repeat('light', 150, untilMs);
      await advance(5);
      for (let client = 0; client < 16; client += 1) void requests.repeat('heavy', 20, untilMs, 4);
      await advance(4_000);
      expect(requests.most.get('heavy')).toBe(1);
    });

    it('leaves a slot free for a light account beside long requests of a heavy one', async () => {
      const requests = new Requests();
      void requests.run('light', 1);
      await advance(2);
      for (let i = 0; i < 6; i += 1) void requests.run('heavy', 10_000);
      for (let second = 0; second < 8; second += 1) {
        await advance(500);
        void requests.run('light', 1);
        await advance(1);
      }
      expect(requests.started.filter((account) => account === 'light')).toHaveLength(9);
      expect(requests.most.get('heavy')).toBe(3);
    });

    it('lets several heavy accounts run one at a time each beside a light one', async () => {
      const requests = new Requests();
      const untilMs = performance.now() + 4_000;
      void requests.repeat('light', 10, untilMs);
      await advance(5);
      for (const heavy of ['heavy', 'heavier'])
        for (let client = 0; client < 8; client += 1) void requests.repeat(heavy, 40, untilMs);
      await advance(4_000);
      expect(Object.fromEntries(requests.most)).toEqual({ light: 1, heavy: 1, heavier: 1 });
    });
  });

  describe('between two steps', () => {
    const limits = { total: 16, perAccount: 8 };
    let slots: FairSlots;
    let order: string[];
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
    };
    /** Three steps that take some turns of the event loop each. */
    const run = async (account: string): Promise<void> => {
      const release = await slots.acquire(account, 1, stays());
      for (const step of [1, 2, 3]) {
        if (step > 1) await slots.yieldToLighter(account);
        order.push(`${account} ${step}`);
        await turns(5);
      }
      release();
    };

    beforeEach(() => {
      slots = new FairSlots(limits, 100, busy);
      order = [];
    });
    afterEach(() => jest.useRealTimers());

    it('the requests of a heavy account let those of a light one end first', async () => {
      // The clock is stopped, so no wait ends by time.
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
      await run('light');
      const heavy = Array.from({ length: 8 }, () => run('heavy'));
      while (!order.includes('heavy 1')) await turns(1);
      await Promise.all([run('light'), ...heavy]);
      const own = order.slice(3);
      const steps = own.slice(0, own.lastIndexOf('light 3')).filter((step) => step.startsWith('heavy'));
      expect(steps.length).toBeLessThanOrEqual(8);
      expect(steps.filter((step) => step !== 'heavy 1')).toEqual([]);
      expect(own.filter((step) => step.startsWith('heavy'))).toHaveLength(24);
    });

    it('a light account waits for no other', async () => {
      const release = await slots.acquire('heavy', 1, stays());
      const other = await slots.acquire('heavy', 1, stays());
      await run('light');
      expect(order).toEqual(['light 1', 'light 2', 'light 3']);
      release();
      other();
    });

    it('no request yields to one that waits for its slot', async () => {
      // The clock is stopped, so no wait ends by time.
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
      slots = new FairSlots({ total: 4, perAccount: 1 }, 100, busy);
      const heavy = Array.from({ length: 4 }, () => run('heavy'));
      while (order.length < 4) await turns(1);
      const light = run('light');
      let isOver = false;
      void Promise.all([...heavy, light]).then(() => (isOver = true));
      await turns(200);
      expect(isOver).toBe(true);
      expect(slots.isUnused).toBe(true);
    });

    it('a heavy request continues after 100 ms beside a light one that does not end', async () => {
      jest.useFakeTimers();
      const release = await slots.acquire('light', 1, stays());
      const all = Promise.all(Array.from({ length: 5 }, () => run('heavy')));
      await jest.advanceTimersByTimeAsync(99);
      expect(order.filter((step) => step !== 'heavy 1')).toEqual([]);
      await jest.advanceTimersByTimeAsync(3 * 110);
      await all;
      expect(order.filter((step) => step === 'heavy 3')).toHaveLength(5);
      release();
    });
  });
});
