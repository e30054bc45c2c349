import { randomUUID } from 'node:crypto';
import { ERROR, ProtocolError, type ErrorCode } from '../protocol/error-codes';
import type { StoredMembers } from './group-store';
import {
  Member,
  failedJoin,
  failedSync,
  type GroupProtocol,
  type JoinResult,
  type MemberDetails,
  type SyncResult,
  Timer,
} from './member';

export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';

/** The time limit of a member that waits for its first generation. */
const NEW_MEMBER_JOIN_MS = 300_000;
const MAX_MEMBERS = 1_000;

export interface JoinRequest extends MemberDetails {
  memberId: string;
  protocolType: string;
  /** True: a member without an id receives one first, and joins with it. */
  requiresMemberId: boolean;
}

/** The membership of one consumer group: the classic rebalance protocol. */
export class Group {
  state: GroupState = 'Empty';
  protocolType: string;
  protocolName = '';
  readonly #members = new Map<string, Member>();
  /** Members that have an id and have not joined with it. */
  readonly #pending = new Map<string, Timer>();
  readonly #rebalance = new Timer(() => this.#endRebalance());
  readonly #synchronization = new Timer(() => this.#endSynchronization());
  #leaderId = '';

  constructor(
    readonly id: string,
    public generation: number,
    protocolType: string,
    /** Called when a generation is complete, and when it has its assignment, to keep both. */
    private readonly onGeneration: (group: Group) => void,
  ) {
    this.protocolType = protocolType;
  }

  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  get isEmpty(): boolean {
    return this.#members.size === 0 && this.#pending.size === 0;
  }

  /** Resolves when the generation that the member joins is complete. */
  join(request: JoinRequest): Promise<JoinResult> {
    const { memberId } = request;
    const known = this.#members.get(memberId);
    if (memberId !== '' && !known && !this.#pending.has(memberId)) {
      return Promise.resolve(failedJoin(ERROR.UNKNOWN_MEMBER_ID, memberId));
    }
    if (!this.#supports(request)) {
      return Promise.resolve(failedJoin(ERROR.INCONSISTENT_GROUP_PROTOCOL, memberId));
    }
    if (known) return this.#rejoin(known, request);
    if (this.#members.size + this.#pending.size >= MAX_MEMBERS) {
      return Promise.resolve(failedJoin(ERROR.GROUP_MAX_SIZE_REACHED, memberId));
    }
    const id = memberId === '' ? `${request.clientId}-${randomUUID()}` : memberId;
    if (memberId === '' && request.requiresMemberId) {
      this.#addPending(id, request.sessionTimeoutMs);
      return Promise.resolve(failedJoin(ERROR.MEMBER_ID_REQUIRED, id));
    }
    return this.#joinNew(id, request);
  }

  /** Resolves with the assignment when the leader has sent it. */
  sync(
    memberId: string,
    generation: number,
    assignments: readonly { memberId: string; assignment: Buffer }[],
  ): Promise<SyncResult> {
    const error = this.#memberError(memberId, generation);
    const member = this.#members.get(memberId);
    if (error !== ERROR.NONE || !member) return Promise.resolve(failedSync(error));
    if (this.state === 'PreparingRebalance') return Promise.resolve(failedSync(ERROR.REBALANCE_IN_PROGRESS));
    member.touch();
    if (this.state === 'Stable') {
      return Promise.resolve({ errorCode: ERROR.NONE, assignment: member.assignment });
    }
    const assigned = member.awaitSync();
    if (memberId === this.#leaderId) this.#assign(assignments);
    return assigned;
  }

  heartbeat(memberId: string, generation: number): ErrorCode {
    const error = this.#memberError(memberId, generation);
    if (error !== ERROR.NONE) return error;
    this.#members.get(memberId)?.touch();
    return this.state === 'PreparingRebalance' ? ERROR.REBALANCE_IN_PROGRESS : ERROR.NONE;
  }

  leave(memberId: string): ErrorCode {
    if (this.#endPending(memberId)) {
      this.#completeWhenJoined();
      return ERROR.NONE;
    }
    const member = this.#members.get(memberId);
    if (!member) return ERROR.UNKNOWN_MEMBER_ID;
    this.#remove(member);
    return ERROR.NONE;
  }

  /** Throws ProtocolError unless this member of this generation may commit offsets. */
  assertMayCommit(memberId: string, generation: number): void {
    if (generation < 0 && this.isEmpty) return;
    const error = this.#memberError(memberId, generation);
    if (error !== ERROR.NONE) throw new ProtocolError(error, 'the commit is of another generation');
    if (this.state === 'CompletingRebalance') {
      throw new ProtocolError(ERROR.REBALANCE_IN_PROGRESS, 'the generation has no assignment yet');
    }
    this.#members.get(memberId)?.touch();
  }

  /** The members of a generation with its assignment. */
  stored(): StoredMembers | undefined {
    if (this.state !== 'Stable') return undefined;
    const { protocolName } = this;
    return { protocolName, leaderId: this.#leaderId, members: this.members.map((each) => each.stored()) };
  }

  /**
   * Restores the members of the last generation. They continue after a restart of the broker without a rebalance,
   * as with Kafka.
   */
  restore({ protocolName, leaderId, members }: StoredMembers): void {
    this.state = 'Stable';
    this.protocolName = protocolName;
    this.#leaderId = leaderId;
    for (const stored of members) {
      const member = Member.restore(stored, (expired) => this.#endSession(expired));
      this.#members.set(member.id, member);
      // One that is alive returns with its next heartbeat. The group does not wait as long for the others.
      member.session.set(member.details.sessionTimeoutMs / 2);
    }
  }

  /** Ends every request that waits, and all timers. */
  close(): void {
    this.state = 'Dead';
    this.#rebalance.clear();
    this.#synchronization.clear();
    for (const timer of this.#pending.values()) timer.clear();
    for (const member of this.#members.values()) member.remove();
    this.#pending.clear();
    this.#members.clear();
  }

  #memberError(memberId: string, generation: number): ErrorCode {
    if (!this.#members.has(memberId)) return ERROR.UNKNOWN_MEMBER_ID;
    return generation === this.generation ? ERROR.NONE : ERROR.ILLEGAL_GENERATION;
  }

  #supports({ protocolType, protocols, memberId }: JoinRequest): boolean {
    if (protocolType === '' || protocols.length === 0) return false;
    const others = this.members.filter(({ id }) => id !== memberId);
    if (others.length === 0) return true;
    return protocolType === this.protocolType && protocols.some(({ name }) => this.#allSupport(name, others));
  }

  #allSupport(name: string, members: readonly Member[]): boolean {
    return members.every(({ details }) => details.protocols.some((each) => each.name === name));
  }

  #rejoin(member: Member, request: JoinRequest): Promise<JoinResult> {
    const isUnchanged = member.hasSameProtocols(request.protocols);
    member.details = request;
    const isLeader = member.id === this.#leaderId;
    // A response may have been lost. The same request receives it again, without a new rebalance.
    const repeats = this.state === 'CompletingRebalance' || (this.state === 'Stable' && !isLeader);
    if (isUnchanged && repeats) {
      member.touch();
      return Promise.resolve(this.#joined(member));
    }
    const joined = member.awaitJoin();
    this.#prepareRebalance();
    return joined;
  }

  #joinNew(id: string, request: JoinRequest): Promise<JoinResult> {
    this.#endPending(id);
    if (this.#members.size === 0) this.protocolType = request.protocolType;
    const member = new Member(id, request, (expired) => this.#endSession(expired));
    this.#members.set(id, member);
    if (!this.#members.has(this.#leaderId)) this.#leaderId = id;
    member.session.set(NEW_MEMBER_JOIN_MS);
    const joined = member.awaitJoin();
    this.#prepareRebalance();
    return joined;
  }

  #addPending(id: string, timeoutMs: number): void {
    const timer = new Timer(() => {
      this.#pending.delete(id);
      this.#completeWhenJoined();
    });
    timer.set(timeoutMs);
    this.#pending.set(id, timer);
  }

  #endPending(id: string): boolean {
    this.#pending.get(id)?.clear();
    return this.#pending.delete(id);
  }

  #prepareRebalance(): void {
    // No members to wait for. Members that only have an id begin the next rebalance when they join.
    const isInitial = this.state === 'Empty';
    if (this.state !== 'PreparingRebalance') {
      this.#synchronization.clear();
      for (const member of this.#members.values()) member.endSync(failedSync(ERROR.REBALANCE_IN_PROGRESS));
      this.state = 'PreparingRebalance';
      this.#rebalance.set(Math.max(0, ...this.members.map(({ details }) => details.rebalanceTimeoutMs)));
    }
    if (isInitial) this.#completeJoin();
    else this.#completeWhenJoined();
  }

  #completeWhenJoined(): void {
    if (this.state !== 'PreparingRebalance' || this.#pending.size > 0) return;
    if (this.members.every(({ isJoining }) => isJoining)) this.#completeJoin();
  }

  /** Members that did not join in time are removed. */
  #endRebalance(): void {
    for (const id of this.#pending.keys()) this.#endPending(id);
    for (const member of this.members.filter(({ isJoining }) => !isJoining)) this.#drop(member);
    this.#completeJoin();
  }

  #completeJoin(): void {
    this.#rebalance.clear();
    this.generation += 1;
    if (this.#members.size === 0) {
      this.state = 'Empty';
      this.protocolName = '';
      this.onGeneration(this);
      return;
    }
    this.state = 'CompletingRebalance';
    this.protocolName = this.#electProtocol();
    this.onGeneration(this);
    this.#synchronization.set(Math.max(...this.members.map(({ details }) => details.rebalanceTimeoutMs)));
    for (const member of this.#members.values()) {
      member.isNew = false;
      member.assignment = Buffer.alloc(0);
      member.touch();
      member.endJoin(this.#joined(member));
    }
  }

  #joined({ id }: Member): JoinResult {
    const members =
      id === this.#leaderId
        ? this.members.map((each) => ({
            memberId: each.id,
            metadata: each.metadataFor(this.protocolName),
          }))
        : [];
    return {
      errorCode: ERROR.NONE,
      generationId: this.generation,
      protocolName: this.protocolName,
      leader: this.#leaderId,
      memberId: id,
      members,
    };
  }

  /** The protocol that most members prefer among those that all support. */
  #electProtocol(): string {
    const votes = new Map<string, number>();
    for (const { details } of this.#members.values()) {
      const choice = details.protocols.find(({ name }) => this.#allSupport(name, this.members));
      if (choice) votes.set(choice.name, (votes.get(choice.name) ?? 0) + 1);
    }
    return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
  }

  #assign(assignments: readonly { memberId: string; assignment: Buffer }[]): void {
    this.#synchronization.clear();
    for (const { memberId, assignment } of assignments) {
      const member = this.#members.get(memberId);
      // A copy, because a view would keep the complete request in memory.
      if (member) member.assignment = Buffer.from(assignment);
    }
    this.state = 'Stable';
    for (const member of this.#members.values()) {
      member.endSync({ errorCode: ERROR.NONE, assignment: member.assignment });
    }
    this.onGeneration(this);
  }

  #endSynchronization(): void {
    if (this.state !== 'CompletingRebalance') return;
    for (const member of this.members.filter(({ isSyncing }) => !isSyncing)) this.#drop(member);
    this.#prepareRebalance();
  }

  #endSession(member: Member): void {
    const waits = !member.isNew && (member.isJoining || member.isSyncing);
    if (waits) member.touch();
    else this.#remove(member);
  }

  #remove(member: Member): void {
    this.#drop(member);
    if (this.state === 'PreparingRebalance') this.#completeWhenJoined();
    else this.#prepareRebalance();
  }

  #drop(member: Member): void {
    member.remove();
    this.#members.delete(member.id);
    if (this.#leaderId === member.id) this.#leaderId = this.members[0]?.id ?? '';
  }
}

/** Copies of the protocols, because views would keep the complete request in memory. */
export function copyProtocols(protocols: readonly GroupProtocol[]): GroupProtocol[] {
  return protocols.map(({ name, metadata }) => ({ name, metadata: Buffer.from(metadata) }));
}
