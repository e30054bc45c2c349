import { ERROR, type ErrorCode } from '../protocol/error-codes';

/** One deadline that can be set again. It does not keep the process alive. */
export class Timer {
  #timeout: NodeJS.Timeout | undefined;

  constructor(private readonly onDue: () => void) {}

  set(delayMs: number): void {
    this.clear();
    this.#timeout = setTimeout(this.onDue, delayMs);
    this.#timeout.unref();
  }

  clear(): void {
    clearTimeout(this.#timeout);
  }
}

export interface JoinResult {
  errorCode: ErrorCode;
  generationId: number;
  protocolName: string;
  leader: string;
  memberId: string;
  /** Only for the leader, which assigns the partitions. */
  members: { memberId: string; metadata: Buffer }[];
}

export interface SyncResult {
  errorCode: ErrorCode;
  assignment: Buffer;
}

export interface GroupProtocol {
  name: string;
  metadata: Buffer;
}

/** The details that a member sends when it joins. */
export interface MemberDetails {
  clientId: string;
  clientHost: string;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
  protocols: readonly GroupProtocol[];
}

/** A member as JSON. Buffers are in base64. */
export interface StoredMember extends Omit<MemberDetails, 'protocols'> {
  id: string;
  protocols: { name: string; metadata: string }[];
  assignment: string;
}

const NO_ASSIGNMENT = Buffer.alloc(0);

export function failedJoin(errorCode: ErrorCode, memberId: string): JoinResult {
  return { errorCode, generationId: -1, protocolName: '', leader: '', memberId, members: [] };
}

export function failedSync(errorCode: ErrorCode): SyncResult {
  return { errorCode, assignment: NO_ASSIGNMENT };
}

/** One consumer of a group, and its requests that wait for the rest of the group. */
export class Member {
  assignment: Buffer = NO_ASSIGNMENT;
  /** True until its first generation is complete. */
  isNew = true;
  readonly session: Timer;
  #join: ((result: JoinResult) => void) | undefined;
  #sync: ((result: SyncResult) => void) | undefined;

  constructor(
    readonly id: string,
    public details: MemberDetails,
    onSessionEnd: (member: Member) => void,
  ) {
    this.session = new Timer(() => onSessionEnd(this));
  }

  static restore(
    { id, protocols, assignment, ...details }: StoredMember,
    onSessionEnd: (member: Member) => void,
  ): Member {
    const decoded = protocols.map(({ name, metadata }) => ({
      name,
      metadata: Buffer.from(metadata, 'base64'),
    }));
    const member = new Member(id, { ...details, protocols: decoded }, onSessionEnd);
    member.isNew = false;
    member.assignment = Buffer.from(assignment, 'base64');
    return member;
  }

  stored(): StoredMember {
    const { clientId, clientHost, sessionTimeoutMs, rebalanceTimeoutMs, protocols } = this.details;
    return {
      id: this.id,
      clientId,
      clientHost,
      sessionTimeoutMs,
      rebalanceTimeoutMs,
      protocols: protocols.map(({ name, metadata }) => ({ name, metadata: metadata.toString('base64') })),
      assignment: this.assignment.toString('base64'),
    };
  }

  get isJoining(): boolean {
    return this.#join !== undefined;
  }

  get isSyncing(): boolean {
    return this.#sync !== undefined;
  }

  /** Begins a new session. */
  touch(): void {
    this.session.set(this.details.sessionTimeoutMs);
  }

  /** Waits for the generation. An earlier waiting request gets an error that makes it retry. */
  awaitJoin(): Promise<JoinResult> {
    this.endJoin(failedJoin(ERROR.REBALANCE_IN_PROGRESS, this.id));
    return new Promise((resolve) => (this.#join = resolve));
  }

  awaitSync(): Promise<SyncResult> {
    this.endSync(failedSync(ERROR.REBALANCE_IN_PROGRESS));
    return new Promise((resolve) => (this.#sync = resolve));
  }

  endJoin(result: JoinResult): void {
    this.#join?.(result);
    this.#join = undefined;
  }

  endSync(result: SyncResult): void {
    this.#sync?.(result);
    this.#sync = undefined;
  }

  metadataFor(protocol: string): Buffer {
    return this.details.protocols.find(({ name }) => name === protocol)?.metadata ?? NO_ASSIGNMENT;
  }

  hasSameProtocols(protocols: readonly GroupProtocol[]): boolean {
    const own = this.details.protocols;
    return (
      own.length === protocols.length &&
      own.every(
        ({ name, metadata }, at) => name === protocols[at]?.name && metadata.equals(protocols[at].metadata),
      )
    );
  }

  /** Ends waiting requests. The member leaves the group. */
  remove(): void {
    this.session.clear();
    this.endJoin(failedJoin(ERROR.UNKNOWN_MEMBER_ID, this.id));
    this.endSync(failedSync(ERROR.UNKNOWN_MEMBER_ID));
  }
}
