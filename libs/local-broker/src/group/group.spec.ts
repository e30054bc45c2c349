import { ERROR } from '../protocol/error-codes';
import { Group, type JoinRequest } from './group';
import type { JoinResult } from './member';

const REBALANCE_MS = 2_000;

function newGroup(): Group {
  return new Group('group', 0, '', () => undefined);
}

function request(memberId = '', more: Partial<JoinRequest> = {}): JoinRequest {
  return {
    memberId,
    clientId: 'client',
    clientHost: '/127.0.0.1',
    sessionTimeoutMs: 10_000,
    rebalanceTimeoutMs: REBALANCE_MS,
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: Buffer.from('m') }],
    requiresMemberId: false,
    ...more,
  };
}

/** A group with one member in a stable generation. */
async function stable(group: Group): Promise<JoinResult> {
  const joined = await group.join(request());
  await group.sync(joined.memberId, joined.generationId, [assignment(joined.memberId, 'all')]);
  return joined;
}

function assignment(memberId: string, text: string): { memberId: string; assignment: Buffer } {
  return { memberId, assignment: Buffer.from(text) };
}

describe('a consumer group', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('waits in a rebalance for a member that has an id', async () => {
    const group = newGroup();
    const first = await stable(group);
    const given = await group.join(request('', { requiresMemberId: true }));
    expect(given.errorCode).toBe(ERROR.MEMBER_ID_REQUIRED);
    const other = group.join(request());
    const again = group.join(request(first.memberId));
    let done = false;
    void again.then(() => (done = true));
    await jest.advanceTimersByTimeAsync(REBALANCE_MS - 1);
    expect(done).toBe(false);
    const joined = await group.join(request(given.memberId));
    expect([joined.errorCode, (await other).generationId, (await again).members.length]).toEqual([
      ERROR.NONE,
      2,
      3,
    ]);
    group.close();
  });

  it('elects the protocol that most members prefer among those that all support', async () => {
    const group = newGroup();
    const named = (...names: string[]) => names.map((name) => ({ name, metadata: Buffer.from(name) }));
    const own = { protocols: named('c', 'b', 'a') };
    const { memberId } = await group.join(request('', own));
    const others = [named('a', 'b'), named('b', 'a')].map((protocols) =>
      group.join(request('', { protocols })),
    );
    const joined = await group.join(request(memberId, own));
    await Promise.all(others);
    expect(joined.protocolName).toBe('b');
    expect(joined.members.map(({ metadata }) => String(metadata))).toEqual(['b', 'b', 'b']);
    group.close();
  });

  it('begins with the first member that joins, even when others have an id', async () => {
    const group = newGroup();
    await group.join(request('', { requiresMemberId: true }));
    const joined = await group.join(request());
    expect([joined.errorCode, joined.generationId, joined.members.length]).toEqual([ERROR.NONE, 1, 1]);
    group.close();
  });

  it('gives a follower that joins again the same generation, without a rebalance', async () => {
    const group = newGroup();
    const leader = await stable(group);
    const joining = group.join(request());
    await group.join(request(leader.memberId));
    const follower = await joining;
    await Promise.all([
      group.sync(follower.memberId, 2, []),
      group.sync(leader.memberId, 2, [assignment(follower.memberId, 'f')]),
    ]);
    const again = await group.join(request(follower.memberId));
    expect([again.generationId, group.state]).toEqual([2, 'Stable']);
    group.close();
  });

  it('drops a member that does not join a rebalance in time', async () => {
    const group = newGroup();
    const silent = await stable(group);
    const joining = group.join(request());
    await jest.advanceTimersByTimeAsync(REBALANCE_MS);
    const joined = await joining;
    expect([joined.leader, joined.members.length]).toEqual([joined.memberId, 1]);
    expect(group.heartbeat(silent.memberId, 2)).toBe(ERROR.UNKNOWN_MEMBER_ID);
    group.close();
  });

  it('drops a leader that sends no assignment in time', async () => {
    const group = newGroup();
    const leader = await stable(group);
    const joining = group.join(request());
    await group.join(request(leader.memberId));
    const follower = await joining;
    const waiting = group.sync(follower.memberId, 2, []);
    await jest.advanceTimersByTimeAsync(REBALANCE_MS);
    expect((await waiting).errorCode).toBe(ERROR.REBALANCE_IN_PROGRESS);
    expect(group.heartbeat(leader.memberId, 2)).toBe(ERROR.UNKNOWN_MEMBER_ID);
    group.close();
  });

  it('removes a member whose session has expired, but none that waits for the others', async () => {
    const group = newGroup();
    const silent = await stable(group);
    const waits = group.join(request('', { rebalanceTimeoutMs: 60_000 }));
    await jest.advanceTimersByTimeAsync(10_000);
    const joined = await waits;
    expect([joined.errorCode, group.members.map(({ id }) => id)]).toEqual([ERROR.NONE, [joined.memberId]]);
    expect(group.leave(silent.memberId)).toBe(ERROR.UNKNOWN_MEMBER_ID);
    group.close();
  });

  it('increments its generation when it becomes empty', async () => {
    const generations: number[] = [];
    const group = new Group('group', 41, '', ({ generation }) => generations.push(generation));
    const { memberId } = await stable(group);
    group.leave(memberId);
    // 42 is reported again with its assignment.
    expect([group.state, generations]).toEqual(['Empty', [42, 42, 43]]);
    group.close();
  });

  it('ends every waiting request when it closes', async () => {
    const group = newGroup();
    await stable(group);
    const joining = group.join(request());
    group.close();
    expect((await joining).errorCode).toBe(ERROR.UNKNOWN_MEMBER_ID);
    expect(jest.getTimerCount()).toBe(0);
  });
});
