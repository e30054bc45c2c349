import path from 'node:path';
import { compactLog } from '../log/compaction';
import { Flusher } from '../log/flusher';
import { openLog, temporaryFolder } from '../../test/log-fixture';
import type { PartitionLog } from '../log/partition-log';
import { ERROR } from '../protocol/error-codes';
import { GroupCoordinator } from './coordinator';
import { GroupStore } from './group-store';

const DAY_MS = 86_400_000;
const GROUP = 'positions';

const folder = temporaryFolder();
let count = 0;
afterAll(() => folder.remove());

/** A coordinator whose clock the test moves, and which can start again on its log. */
class Fixture {
  now = 1_000_000_000;
  readonly directory = path.join(folder.path, String((count += 1)));
  log: PartitionLog = this.#open();
  coordinator = this.#coordinate();

  async restart(): Promise<void> {
    this.coordinator.close();
    await this.log.close(false);
    this.log = this.#open();
    this.coordinator = this.#coordinate();
  }

  async commit(offset: number, topic = 'alert.v1'): Promise<void> {
    await this.coordinator.commit(GROUP, [{ topic, partition: 0, offset, metadata: null }]);
  }

  /** Joins and leaves: two generations. */
  async passThrough(): Promise<void> {
    const joined = await this.coordinator.join(GROUP, this.#request());
    expect(joined.errorCode).toBe(ERROR.NONE);
    this.coordinator.leave(GROUP, joined.memberId);
  }

  /** Joins and receives an assignment. Returns the member's id and generation. */
  async joinStable(): Promise<{ memberId: string; generation: number }> {
    const { memberId, generationId } = await this.coordinator.join(GROUP, this.#request());
    const assignment = Buffer.from('all partitions');
    const synced = await this.coordinator.sync(GROUP, memberId, generationId, [{ memberId, assignment }]);
    expect(synced).toEqual({ errorCode: ERROR.NONE, assignment });
    return { memberId, generation: generationId };
  }

  /** The generation in the log. −1 if the group is not in it. */
  get generation(): number {
    let last = -1;
    for (const change of new GroupStore(this.log, new Flusher(), () => this.now).load()) {
      if (!('topic' in change) && change.value) last = change.value.generation;
    }
    return last;
  }

  #request(): Parameters<GroupCoordinator['join']>[1] {
    return {
      memberId: '',
      clientId: 'client',
      clientHost: '/127.0.0.1',
      sessionTimeoutMs: 10_000,
      rebalanceTimeoutMs: 1_000,
      protocolType: 'consumer',
      protocols: [{ name: 'range', metadata: Buffer.from('topics') }],
      requiresMemberId: false,
    };
  }

  #open(): PartitionLog {
    const overrides = {
      'cleanup.policy': 'compact',
      'segment.bytes': '400',
      'min.cleanable.dirty.ratio': '0',
      'delete.retention.ms': '1',
    };
    return openLog(this.directory, { overrides, now: () => this.now });
  }

  #coordinate(): GroupCoordinator {
    return new GroupCoordinator(new GroupStore(this.log, new Flusher(), () => this.now), () => this.now);
  }
}

describe('the coordinator of groups', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
  });
  afterEach(async () => {
    fixture.coordinator.close();
    await fixture.log.close(false);
  });

  it('keeps offsets and generations over restarts and compaction', async () => {
    await fixture.passThrough();
    for (let offset = 1; offset <= 30; offset += 1) await fixture.commit(offset);
    await fixture.commit(7, 'wallet.v1');
    fixture.log.roll();
    await compactLog(fixture.log, fixture.now);
    await fixture.restart();
    expect(fixture.coordinator.committed(GROUP, 'alert.v1', 0)?.offset).toBe(30);
    expect(fixture.coordinator.committed(GROUP, 'wallet.v1', 0)?.offset).toBe(7);
    expect(fixture.generation).toBe(2);
    await fixture.passThrough();
    expect(fixture.generation).toBe(4);
  });

  it('keeps the members of a generation over a restart, so that they continue without a rebalance', async () => {
    const { memberId, generation } = await fixture.joinStable();
    const before = fixture.coordinator.describe(GROUP);
    await fixture.restart();
    expect(fixture.coordinator.heartbeat(GROUP, memberId, generation)).toBe(ERROR.NONE);
    expect(() => fixture.coordinator.assertMayCommit(GROUP, memberId, generation)).not.toThrow();
    const after = fixture.coordinator.describe(GROUP);
    expect(after?.members.map((member) => member.stored())).toEqual(
      before?.members.map((member) => member.stored()),
    );
    expect(after).toMatchObject({ state: 'Stable', protocolType: 'consumer', protocolName: 'range' });
  });

  it('ends the session of a restored member that does not return', async () => {
    jest.useFakeTimers();
    try {
      const { memberId, generation } = await fixture.joinStable();
      await fixture.restart();
      jest.advanceTimersByTime(5_001);
      expect(fixture.coordinator.heartbeat(GROUP, memberId, generation)).toBe(ERROR.UNKNOWN_MEMBER_ID);
      expect(fixture.coordinator.describe(GROUP)?.state).toBe('Empty');
    } finally {
      jest.useRealTimers();
    }
  });

  it('restores no member that left', async () => {
    const { memberId, generation } = await fixture.joinStable();
    fixture.coordinator.leave(GROUP, memberId);
    await fixture.restart();
    expect(fixture.coordinator.heartbeat(GROUP, memberId, generation)).toBe(ERROR.UNKNOWN_MEMBER_ID);
    expect(fixture.coordinator.describe(GROUP)?.state).toBe('Empty');
  });

  it('forgets the offsets of a topic that was deleted', async () => {
    await fixture.commit(1);
    await fixture.commit(2, 'wallet.v1');
    await fixture.coordinator.forgetTopic('alert.v1');
    await fixture.restart();
    expect(fixture.coordinator.allCommitted(GROUP).map(({ topic }) => topic)).toEqual(['wallet.v1']);
  });

  it('deletes a group without members when its offsets are old, and sooner when it has no offsets', async () => {
    await fixture.commit(1);
    await fixture.coordinator.expire(DAY_MS);
    expect(fixture.coordinator.list()).toHaveLength(1);
    fixture.now += DAY_MS + 1;
    await fixture.coordinator.expire(DAY_MS);
    expect(fixture.coordinator.list()).toEqual([]);
    await fixture.passThrough();
    await fixture.coordinator.expire(DAY_MS);
    expect(fixture.coordinator.list()).toHaveLength(1);
    fixture.now += 600_001;
    await fixture.coordinator.expire(DAY_MS);
    await fixture.restart();
    expect(fixture.coordinator.list()).toEqual([]);
  });

  it('deletes a group permanently', async () => {
    await fixture.commit(1);
    expect(await fixture.coordinator.delete(GROUP)).toBe(ERROR.NONE);
    expect(await fixture.coordinator.delete(GROUP)).toBe(ERROR.GROUP_ID_NOT_FOUND);
    await fixture.restart();
    expect(fixture.coordinator.list()).toEqual([]);
  });
});
