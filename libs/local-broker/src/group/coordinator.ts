import { ERROR, ProtocolError, type ErrorCode } from '../protocol/error-codes';
import { Group, copyProtocols, type GroupState, type JoinRequest } from './group';
import type { CommittedOffset, GroupChange, GroupStore, StoredGroup } from './group-store';
import { failedJoin, failedSync, type JoinResult, type Member, type SyncResult } from './member';

const MIN_SESSION_MS = 6_000;
const MAX_SESSION_MS = 1_800_000;
const MAX_METADATA_CHARS = 4_096;
const MAX_GROUPS = 10_000;
/**
 * As in Kafka: a group without members and offsets may still be requested, or deleted, by its last member.
 */
const IDLE_GROUP_MS = 600_000;

interface KnownGroup {
  group: Group;
  /** The key is topic and partition. */
  offsets: Map<string, CommittedOffset & { topic: string; partition: number }>;
  /** Milliseconds of the epoch. */
  emptySince: number;
}

export interface OffsetToCommit {
  topic: string;
  partition: number;
  offset: number;
  metadata: string | null;
}

export interface GroupDescription {
  state: GroupState;
  protocolType: string;
  protocolName: string;
  members: readonly Member[];
}

/** The coordinator of all groups. Offsets, generations and their members survive in the store. */
export class GroupCoordinator {
  readonly #groups = new Map<string, KnownGroup>();

  constructor(
    private readonly store: GroupStore,
    private readonly now: () => number,
  ) {
    const latest = new Map<string, StoredGroup>();
    for (const change of store.load()) {
      this.#restore(change);
      if ('topic' in change) continue;
      if (change.value) latest.set(change.group, change.value);
      else latest.delete(change.group);
    }
    for (const [id, { stable }] of latest) if (stable) this.#groups.get(id)?.group.restore(stable);
  }

  async join(groupId: string, request: JoinRequest): Promise<JoinResult> {
    const { memberId, sessionTimeoutMs } = request;
    if (groupId === '') return failedJoin(ERROR.INVALID_GROUP_ID, memberId);
    if (sessionTimeoutMs < MIN_SESSION_MS || sessionTimeoutMs > MAX_SESSION_MS) {
      return failedJoin(ERROR.INVALID_SESSION_TIMEOUT, memberId);
    }
    const known = this.#groups.get(groupId);
    if (!known && memberId !== '') return failedJoin(ERROR.UNKNOWN_MEMBER_ID, memberId);
    if (!known && this.#groups.size >= MAX_GROUPS) {
      return failedJoin(ERROR.COORDINATOR_NOT_AVAILABLE, memberId);
    }
    const { group } = known ?? this.#create(groupId);
    return group.join({ ...request, protocols: copyProtocols(request.protocols) });
  }

  async sync(
    groupId: string,
    memberId: string,
    generation: number,
    assignments: readonly { memberId: string; assignment: Buffer }[],
  ): Promise<SyncResult> {
    const group = this.#groups.get(groupId)?.group;
    return group?.sync(memberId, generation, assignments) ?? failedSync(ERROR.UNKNOWN_MEMBER_ID);
  }

  heartbeat(groupId: string, memberId: string, generation: number): ErrorCode {
    return this.#groups.get(groupId)?.group.heartbeat(memberId, generation) ?? ERROR.UNKNOWN_MEMBER_ID;
  }

  leave(groupId: string, memberId: string): ErrorCode {
    return this.#groups.get(groupId)?.group.leave(memberId) ?? ERROR.UNKNOWN_MEMBER_ID;
  }

  /** Throws ProtocolError unless this member of this generation may commit. Generation −1 means no member. */
  assertMayCommit(groupId: string, memberId: string, generation: number): void {
    const group = this.#groups.get(groupId)?.group;
    if (group) group.assertMayCommit(memberId, generation);
    else if (generation >= 0) throw new ProtocolError(ERROR.ILLEGAL_GENERATION, 'the group is not known');
  }

  /** The offsets are durable when it resolves. Throws ProtocolError. */
  async commit(groupId: string, offsets: readonly OffsetToCommit[]): Promise<void> {
    const known = this.#groups.get(groupId) ?? this.#create(groupId);
    const committedAt = this.now();
    const changes = offsets.map(({ topic, partition, offset, metadata }) => ({
      group: groupId,
      topic,
      partition,
      value: { offset, metadata: metadata ?? '', committedAt },
    }));
    await this.store.write(changes);
    for (const { topic, partition, value } of changes) {
      known.offsets.set(offsetKey(topic, partition), { ...value, topic, partition });
    }
  }

  committed(groupId: string, topic: string, partition: number): CommittedOffset | undefined {
    return this.#groups.get(groupId)?.offsets.get(offsetKey(topic, partition));
  }

  /** Everything that the group has committed. */
  allCommitted(groupId: string): (CommittedOffset & { topic: string; partition: number })[] {
    return [...(this.#groups.get(groupId)?.offsets.values() ?? [])];
  }

  list(): { groupId: string; protocolType: string }[] {
    return [...this.#groups].map(([groupId, { group }]) => ({ groupId, protocolType: group.protocolType }));
  }

  describe(groupId: string): GroupDescription | undefined {
    const group = this.#groups.get(groupId)?.group;
    if (!group) return undefined;
    const { state, protocolType, protocolName, members } = group;
    return { state, protocolType, protocolName, members };
  }

  /** Resolves with the error code. Groups with members are kept. */
  async delete(groupId: string): Promise<ErrorCode> {
    const known = this.#groups.get(groupId);
    if (!known) return ERROR.GROUP_ID_NOT_FOUND;
    if (!known.group.isEmpty) return ERROR.NON_EMPTY_GROUP;
    await this.#forget(known);
    return ERROR.NONE;
  }

  /** Removes the commits of groups for a deleted topic. */
  async forgetTopic(topic: string): Promise<void> {
    const changes: GroupChange[] = [];
    for (const [group, { offsets }] of this.#groups) {
      for (const [key, committed] of offsets) {
        if (committed.topic !== topic) continue;
        offsets.delete(key);
        changes.push({ group, topic, partition: committed.partition, value: null });
      }
    }
    await this.store.write(changes);
  }

  /** Deletes groups without members for this long, and sooner those that never committed. */
  async expire(retentionMs: number): Promise<void> {
    const now = this.now();
    for (const known of this.#groups.values()) {
      const { group, offsets, emptySince } = known;
      if (!group.isEmpty) continue;
      const lastCommit = Math.max(emptySince, ...[...offsets.values()].map((each) => each.committedAt));
      const keptMs = offsets.size === 0 ? Math.min(IDLE_GROUP_MS, retentionMs) : retentionMs;
      if (lastCommit < now - keptMs) await this.#forget(known);
    }
  }

  /** Ends every request that waits for a group. */
  close(): void {
    for (const { group } of this.#groups.values()) group.close();
  }

  #create(groupId: string, generation = 0, protocolType = ''): KnownGroup {
    const group = new Group(groupId, generation, protocolType, (changed) => this.#noteGeneration(changed));
    const known: KnownGroup = { group, offsets: new Map(), emptySince: this.now() };
    this.#groups.set(groupId, known);
    return known;
  }

  #noteGeneration(group: Group): void {
    const known = this.#groups.get(group.id);
    if (known && group.state === 'Empty') known.emptySince = this.now();
    const { generation, protocolType } = group;
    this.store.writeLater([{ group: group.id, value: { generation, protocolType, stable: group.stored() } }]);
  }

  async #forget({ group, offsets }: KnownGroup): Promise<void> {
    this.#groups.delete(group.id);
    group.close();
    await this.store.write([
      ...[...offsets.values()].map(({ topic, partition }) => ({
        group: group.id,
        topic,
        partition,
        value: null,
      })),
      { group: group.id, value: null },
    ]);
  }

  #restore(change: GroupChange): void {
    if (!('topic' in change)) {
      if (change.value === null) {
        this.#groups.delete(change.group);
        return;
      }
      const { generation, protocolType } = change.value;
      const known = this.#groups.get(change.group) ?? this.#create(change.group);
      known.group.generation = generation;
      known.group.protocolType = protocolType;
      return;
    }
    const { group, topic, partition, value } = change;
    if (value) {
      const known = this.#groups.get(group) ?? this.#create(group);
      known.offsets.set(offsetKey(topic, partition), { ...value, topic, partition });
    } else this.#groups.get(group)?.offsets.delete(offsetKey(topic, partition));
  }
}

/** Throws ProtocolError when a commit's metadata are too long. */
export function assertMetadataFits(metadata: string | null): void {
  if ((metadata ?? '').length > MAX_METADATA_CHARS) {
    throw new ProtocolError(
      ERROR.OFFSET_METADATA_TOO_LARGE,
      `metadata exceed ${MAX_METADATA_CHARS} characters`,
    );
  }
}

function offsetKey(topic: string, partition: number): string {
  return `${topic}/${partition}`;
}
