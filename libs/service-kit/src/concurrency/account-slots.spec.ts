import { AccountSlots } from './account-slots';

const REFUSED = { code: 'upstream_unavailable', options: { headers: { 'retry-after': '1' } } };

describe('AccountSlots', () => {
  const stays = (): AbortSignal => new AbortController().signal;
  let slots: AccountSlots;

  beforeEach(() => {
    jest.useFakeTimers();
    slots = new AccountSlots();
  });
  afterEach(() => jest.useRealTimers());

  it('grants up to the limit and passes each released slot to the longest waiter', async () => {
    const [first] = await Promise.all([slots.acquire('a', 2, stays()), slots.acquire('a', 2, stays())]);
    const order: string[] = [];
    const third = slots.acquire('a', 2, stays()).then((giveBack) => (order.push('third'), giveBack));
    const fourth = slots.acquire('a', 2, stays()).then((giveBack) => (order.push('fourth'), giveBack));
    await jest.advanceTimersByTimeAsync(4_999);
    expect(order).toEqual([]);
    first();
    (await third)();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('refuses after 5 s of waiting and takes no slot later', async () => {
    const giveBack = await slots.acquire('a', 1, stays());
    const refused = expect(slots.acquire('a', 1, stays())).rejects.toMatchObject(REFUSED);
    await jest.advanceTimersByTimeAsync(5_000);
    await refused;
    giveBack();
    await expect(slots.acquire('a', 1, stays())).resolves.toBeDefined();
  });

  it('refuses immediately when 32 requests wait', async () => {
    const giveBack = await slots.acquire('a', 1, stays());
    const waiting = Array.from({ length: 32 }, () => slots.acquire('a', 1, stays()));
    await expect(slots.acquire('a', 1, stays())).rejects.toMatchObject(REFUSED);
    giveBack();
    for (const each of waiting) (await each)();
  });

  it('removes a caller that disconnects from the queue', async () => {
    const giveBack = await slots.acquire('a', 1, stays());
    const caller = new AbortController();
    const gone = expect(slots.acquire('a', 1, caller.signal)).rejects.toMatchObject(REFUSED);
    const next = slots.acquire('a', 1, stays());
    caller.abort();
    await gone;
    giveBack();
    await expect(next).resolves.toBeDefined();
  });

  it('keeps accounts separate', async () => {
    await slots.acquire('a', 1, stays());
    await expect(slots.acquire('b', 1, stays())).resolves.toBeDefined();
  });
});
