import type { ClaimedDelivery } from './claimed-delivery';
import { type QueueLimits, EndpointQueues } from './endpoint-queues';

const NOW_MS = 1_000_000;
const OK = { isSuccess: true, durationMs: 5 };
const FAILED = { isSuccess: false, durationMs: 5 };
const SLOW = { isSuccess: true, durationMs: 10_000 };

let made = 0;
const delivery = (webhookId: string, accountId = `account of ${webhookId}`): ClaimedDelivery => ({
  deliveryId: `del_${(made += 1)}`,
  webhookId,
  accountId,
  eventId: 'evt',
  event: 'alert.created',
  body: '{}',
  url: 'https://example.com/',
  attempts: 0,
  isManual: false,
  isAwaited: false,
  dueAtMs: NOW_MS,
  failingSince: null,
  lease: { id: 'lease', endsAtMs: NOW_MS + 15_000, held: 1 },
  target: {
    webhookId,
    url: 'https://example.com/',
    secretKeyId: 'key',
    secretSealed: Buffer.alloc(0),
    nextSecretKeyId: null,
    nextSecretSealed: null,
    secretOverlapEndsAt: null,
    failingSince: null,
    isOpen: true,
    isVerified: true,
  },
});

describe('EndpointQueues', () => {
  const later: { ms: number; work: () => void }[] = [];
  const unverified: string[] = [];
  const queuesOf = (limits: Partial<QueueLimits> = {}): EndpointQueues =>
    new EndpointQueues(
      { total: 100, perAccount: 100, perEndpoint: 4, perSecond: 1e6, perSecondUnderPressure: 1e6, ...limits },
      (ms, work) => {
        later.push({ ms, work });
      },
      ({ webhookId }) => unverified.push(webhookId),
    );
  const fill = (queues: EndpointQueues, webhookId: string, count: number, accountId?: string): void => {
    for (let i = 0; i < count; i += 1) queues.add(delivery(webhookId, accountId));
  };
  const start = (queues: EndpointQueues): ClaimedDelivery[] => {
    const started: ClaimedDelivery[] = [];
    for (let next = queues.next(NOW_MS, false); next; next = queues.next(NOW_MS, false)) started.push(next);
    return started;
  };
  const end = (queues: EndpointQueues, each: ClaimedDelivery, response: typeof OK): void => {
    queues.ended(each, response, NOW_MS);
    queues.settled(1);
  };
  beforeEach(() => later.splice(0));

  it('serves endpoints in turn, each within its bound, oldest first', () => {
    const queues = queuesOf();
    fill(queues, 'a', 50);
    fill(queues, 'b', 2);
    const started = start(queues);
    expect(started.map(({ webhookId }) => webhookId)).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
    expect(queues).toMatchObject({ inFlight: 6, waiting: 46 });
    end(queues, started[0]!, OK);
    expect(start(queues).map(({ webhookId }) => webhookId)).toEqual(['a']);
  });

  it('bounds all attempts together until their results are written', () => {
    const queues = queuesOf({ total: 3 });
    fill(queues, 'a', 5);
    const started = start(queues);
    expect(started).toHaveLength(3);
    for (const each of started) queues.ended(each, OK, NOW_MS);
    expect(start(queues)).toEqual([]);
    queues.settled(3);
    expect(start(queues)).toHaveLength(2);
  });

  it('bounds an account over all its endpoints, and no other account', () => {
    const queues = queuesOf({ perAccount: 3 });
    for (const webhookId of ['a', 'b', 'c']) fill(queues, webhookId, 4, 'one');
    fill(queues, 'd', 2, 'two');
    const started = start(queues);
    expect(started.map(({ accountId }) => accountId).sort()).toEqual(['one', 'one', 'one', 'two', 'two']);
    end(
      queues,
      started.find(({ accountId }) => accountId === 'one')!,
      OK,
    );
    expect(start(queues).map(({ accountId }) => accountId)).toEqual(['one']);
  });

  it('makes one attempt at a time at a failing endpoint until one succeeds', () => {
    const queues = queuesOf();
    fill(queues, 'a', 30);
    for (let i = 0; i < 10; i += 1) end(queues, queues.next(NOW_MS, false)!, FAILED);
    expect(queues.failing).toBe(1);
    const [probe, ...more] = start(queues);
    expect(more).toEqual([]);
    end(queues, probe!, OK);
    expect(queues.failing).toBe(0);
    expect(start(queues)).toHaveLength(4);
  });

  it('waits for the rate of an endpoint and continues after it', () => {
    const queues = queuesOf({ perSecond: 10, perEndpoint: 50 });
    fill(queues, 'a', 10);
    fill(queues, 'b', 1);
    expect(start(queues).map(({ webhookId }) => webhookId)).toEqual(['a', 'b', 'a']);
    expect(later.map(({ ms }) => ms)).toEqual([110]);
    later[0]!.work();
    expect(queues.next(NOW_MS + 100, false)).toMatchObject({ webhookId: 'a' });
  });

  it('limits each endpoint to a lower rate under high intake pressure, and returns to its own rate afterwards', () => {
    const queues = queuesOf({ perSecond: 1_000, perSecondUnderPressure: 10, perEndpoint: 200 });
    fill(queues, 'a', 200);
    const begun = (nowMs: number, isPressureHigh: boolean): number => {
      let count = 0;
      while (queues.next(nowMs, isPressureHigh)) count += 1;
      return count;
    };
    expect(begun(NOW_MS, true)).toBe(2);
    later[0]!.work();
    expect(begun(NOW_MS + 110, true)).toBe(1);
    later[1]!.work();
    expect(begun(NOW_MS + 220, false)).toBe(21);
  });

  it('claims further ahead for a fast endpoint than for a slow one, and less while more wait', () => {
    const queues = queuesOf();
    const roomAfter = (webhookId: string, response: typeof OK): number => {
      fill(queues, webhookId, 2);
      queues.expectMore(webhookId, `account of ${webhookId}`);
      end(queues, queues.next(NOW_MS, false)!, response);
      return queues.capacities.find((each) => each.webhookId === webhookId)!.capacity;
    };
    expect(roomAfter('fast', OK)).toBe(4 + 400 - 1);
    const [fast] = start(queues);
    expect(fast).toMatchObject({ webhookId: 'fast' });
    expect(roomAfter('slow', SLOW)).toBe(4 + 1 - 1);
  });

  it("claims no further ahead than the endpoint's rate allows, so that no lease expires while its delivery waits", () => {
    const queues = queuesOf({ perSecond: 10 });
    fill(queues, 'fast', 2);
    end(queues, queues.next(NOW_MS, false)!, OK);
    expect(queues.capacities).toMatchObject([{ webhookId: 'fast', capacity: 4 + 5 - 1 }]);
  });

  it('uses waiting leases for fast endpoints only', () => {
    const queues = queuesOf();
    expect(queues.leaseSize('unknown')).toBe(0);
    for (const [webhookId, response] of [
      ['fast', OK],
      ['slow', SLOW],
    ] as const) {
      fill(queues, webhookId, 2);
      expect(queues.leaseSize(webhookId)).toBe(0);
      end(queues, queues.next(NOW_MS, false)!, response);
      start(queues);
    }
    expect(queues.leaseSize('fast')).toBe(256);
    expect(queues.leaseSize('slow')).toBe(0);
    expect(queues.slow).toEqual(['slow']);
    const [fast, slow] = queues.capacities;
    expect(fast).toMatchObject({ webhookId: 'fast', leaseCapacity: fast?.capacity });
    expect(slow).toMatchObject({ webhookId: 'slow', leaseCapacity: 0 });
  });

  it('claims more only for endpoints that run short and may have more', () => {
    const queues = queuesOf();
    fill(queues, 'a', 8);
    expect(queues.shortCapacities).toEqual([]);
    queues.expectMore('a', 'account of a');
    expect(queues.isShort('a')).toBe(false);
    start(queues);
    expect(queues.waiting).toBe(4);
    expect(queues.isShort('a')).toBe(false);
    end(queues, delivery('a'), SLOW);
    start(queues);
    queues.claiming(['a']);
    expect(queues.shortCapacities).toEqual([]);
  });

  it('claims no new deliveries for an endpoint whose older ones wait in the table', () => {
    const queues = queuesOf();
    expect(queues.insertCapacity('a')).toBe(8);
    queues.expectMore('a', 'account of a');
    expect(queues.insertCapacity('a')).toBe(0);
  });

  it('returns all deliveries that have not begun', () => {
    const queues = queuesOf();
    fill(queues, 'a', 6);
    start(queues);
    expect(queues.clear()).toHaveLength(2);
    expect(queues).toMatchObject({ inFlight: 4, waiting: 0 });
    expect(queues.next(NOW_MS, false)).toBeUndefined();
  });

  it('holds an endpoint that is not verified at 100 attempts a minute, until it is', () => {
    unverified.splice(0);
    const queues = queuesOf({ total: 1_000, perAccount: 1_000, perEndpoint: 1_000 });
    for (let i = 0; i < 150; i += 1) {
      const each = delivery('a');
      queues.add({ ...each, target: { ...each.target, isVerified: false } });
    }
    const started = start(queues);
    expect(started).toHaveLength(100);
    expect(unverified).toEqual(['a']);
    expect(later.map(({ ms }) => ms)).toEqual([60_000]);
    queues.verified('a');
    expect(start(queues)).toHaveLength(50);
  });

  it('remembers the attempts of an endpoint that is not verified while its queue is empty', () => {
    const queues = queuesOf();
    for (let i = 0; i < 101; i += 1) {
      const each = delivery('a');
      queues.add({ ...each, target: { ...each.target, isVerified: false } });
      const started = start(queues);
      expect(started).toHaveLength(i < 100 ? 1 : 0);
      for (const one of started) end(queues, one, OK);
      queues.claimed(['a'], NOW_MS + 59_000);
    }
  });
});
