import type { ClaimedDelivery } from './claimed-delivery';
import { type LaneLimits, Lanes } from './lanes';

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
  },
});

describe('Lanes', () => {
  const later: { ms: number; work: () => void }[] = [];
  const lanesOf = (limits: Partial<LaneLimits> = {}): Lanes =>
    new Lanes(
      { total: 100, perAccount: 100, perEndpoint: 4, perSecond: 1e6, perSecondInCrowd: 1e6, ...limits },
      (ms, work) => {
        later.push({ ms, work });
      },
    );
  const fill = (lanes: Lanes, webhookId: string, count: number, accountId?: string): void => {
    for (let i = 0; i < count; i += 1) lanes.add(delivery(webhookId, accountId));
  };
  const start = (lanes: Lanes): ClaimedDelivery[] => {
    const started: ClaimedDelivery[] = [];
    for (let next = lanes.next(NOW_MS, false); next; next = lanes.next(NOW_MS, false)) started.push(next);
    return started;
  };
  const end = (lanes: Lanes, each: ClaimedDelivery, answer: typeof OK): void => {
    lanes.ended(each, answer);
    lanes.settled(1);
  };
  beforeEach(() => later.splice(0));

  it('lets endpoints take turns, each within its bound, oldest first', () => {
    const lanes = lanesOf();
    fill(lanes, 'a', 50);
    fill(lanes, 'b', 2);
    const started = start(lanes);
    expect(started.map(({ webhookId }) => webhookId)).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
    expect(lanes).toMatchObject({ underWay: 6, waiting: 46 });
    end(lanes, started[0]!, OK);
    expect(start(lanes).map(({ webhookId }) => webhookId)).toEqual(['a']);
  });

  it('bounds all attempts together until their results are settled', () => {
    const lanes = lanesOf({ total: 3 });
    fill(lanes, 'a', 5);
    const started = start(lanes);
    expect(started).toHaveLength(3);
    for (const each of started) lanes.ended(each, OK);
    expect(start(lanes)).toEqual([]);
    lanes.settled(3);
    expect(start(lanes)).toHaveLength(2);
  });

  it('bounds an account over all its endpoints, and no other account', () => {
    const lanes = lanesOf({ perAccount: 3 });
    for (const webhookId of ['a', 'b', 'c']) fill(lanes, webhookId, 4, 'one');
    fill(lanes, 'd', 2, 'two');
    const started = start(lanes);
    expect(started.map(({ accountId }) => accountId).sort()).toEqual(['one', 'one', 'one', 'two', 'two']);
    end(
      lanes,
      started.find(({ accountId }) => accountId === 'one')!,
      OK,
    );
    expect(start(lanes).map(({ accountId }) => accountId)).toEqual(['one']);
  });

  it('makes one attempt at a time at an endpoint that keeps failing, until one succeeds', () => {
    const lanes = lanesOf();
    fill(lanes, 'a', 30);
    for (let i = 0; i < 10; i += 1) end(lanes, lanes.next(NOW_MS, false)!, FAILED);
    expect(lanes.failing).toBe(1);
    const [probe, ...more] = start(lanes);
    expect(more).toEqual([]);
    end(lanes, probe!, OK);
    expect(lanes.failing).toBe(0);
    expect(start(lanes)).toHaveLength(4);
  });

  it('waits for the pace of an endpoint, and goes on after it', () => {
    const lanes = lanesOf({ perSecond: 10, perEndpoint: 50 });
    fill(lanes, 'a', 10);
    fill(lanes, 'b', 1);
    expect(start(lanes).map(({ webhookId }) => webhookId)).toEqual(['a', 'b', 'a']);
    expect(later.map(({ ms }) => ms)).toEqual([110]);
    later[0]!.work();
    expect(lanes.next(NOW_MS + 100, false)).toMatchObject({ webhookId: 'a' });
  });

  it('keeps each endpoint to a lower rate in a crowd, and goes back to its own after it', () => {
    const lanes = lanesOf({ perSecond: 1_000, perSecondInCrowd: 10, perEndpoint: 200 });
    fill(lanes, 'a', 200);
    const begun = (nowMs: number, isCrowded: boolean): number => {
      let count = 0;
      while (lanes.next(nowMs, isCrowded)) count += 1;
      return count;
    };
    expect(begun(NOW_MS, true)).toBe(2);
    later[0]!.work();
    expect(begun(NOW_MS + 110, true)).toBe(1);
    later[1]!.work();
    expect(begun(NOW_MS + 220, false)).toBe(21);
  });

  it('claims further ahead for a fast endpoint than for a slow one, and less while more waits', () => {
    const lanes = lanesOf();
    const roomAfter = (webhookId: string, answer: typeof OK): number => {
      fill(lanes, webhookId, 2);
      lanes.expectMore(webhookId, `account of ${webhookId}`);
      end(lanes, lanes.next(NOW_MS, false)!, answer);
      return lanes.rooms.find((each) => each.webhookId === webhookId)!.room;
    };
    expect(roomAfter('fast', OK)).toBe(4 + 400 - 1);
    const [fast] = start(lanes);
    expect(fast).toMatchObject({ webhookId: 'fast' });
    expect(roomAfter('slow', SLOW)).toBe(4 + 1 - 1);
  });

  it('claims no further ahead than an endpoint may be sent to, so that no lease ends while its delivery waits', () => {
    const lanes = lanesOf({ perSecond: 10 });
    fill(lanes, 'fast', 2);
    end(lanes, lanes.next(NOW_MS, false)!, OK);
    expect(lanes.rooms).toMatchObject([{ webhookId: 'fast', room: 4 + 5 - 1 }]);
  });

  it('lets what has no room wait under leases for a fast endpoint alone', () => {
    const lanes = lanesOf();
    expect(lanes.leaseSize('unknown')).toBe(0);
    for (const [webhookId, answer] of [
      ['fast', OK],
      ['slow', SLOW],
    ] as const) {
      fill(lanes, webhookId, 2);
      expect(lanes.leaseSize(webhookId)).toBe(0);
      end(lanes, lanes.next(NOW_MS, false)!, answer);
      start(lanes);
    }
    expect(lanes.leaseSize('fast')).toBe(256);
    expect(lanes.leaseSize('slow')).toBe(0);
    expect(lanes.slow).toEqual(['slow']);
    const [fast, slow] = lanes.rooms;
    expect(fast).toMatchObject({ webhookId: 'fast', leaseRoom: fast?.room });
    expect(slow).toMatchObject({ webhookId: 'slow', leaseRoom: 0 });
  });

  it('asks for more only of endpoints that run short and may have more', () => {
    const lanes = lanesOf();
    fill(lanes, 'a', 8);
    expect(lanes.shortRooms).toEqual([]);
    lanes.expectMore('a', 'account of a');
    expect(lanes.isShort('a')).toBe(false);
    start(lanes);
    expect(lanes.waiting).toBe(4);
    expect(lanes.isShort('a')).toBe(false);
    end(lanes, delivery('a'), SLOW);
    start(lanes);
    lanes.claiming(['a']);
    expect(lanes.shortRooms).toEqual([]);
  });

  it('claims nothing fresh for an endpoint whose older deliveries wait in the table', () => {
    const lanes = lanesOf();
    expect(lanes.freshRoom('a')).toBe(8);
    lanes.expectMore('a', 'account of a');
    expect(lanes.freshRoom('a')).toBe(0);
  });

  it('gives out all that has not begun', () => {
    const lanes = lanesOf();
    fill(lanes, 'a', 6);
    start(lanes);
    expect(lanes.clear()).toHaveLength(2);
    expect(lanes).toMatchObject({ underWay: 4, waiting: 0 });
    expect(lanes.next(NOW_MS, false)).toBeUndefined();
  });
});
