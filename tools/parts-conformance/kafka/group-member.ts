import { apis } from '@plimsoll/local-broker';
import { AssignerProtocol } from 'kafkajs';
import type { CheckContext } from '../check';
import { rawClient } from './helpers';
import type { RawClient } from './raw-client';

interface JoinOptions {
  sessionTimeoutMs?: number;
  rebalanceTimeoutMs?: number;
  protocolType?: string;
  protocols?: string[];
  version?: number;
}

/** A member of a group, request by request. */
export class GroupMember {
  memberId = '';
  generation = -1;
  leader = '';

  private constructor(
    private readonly client: RawClient,
    readonly groupId: string,
  ) {}

  static async connect(context: CheckContext, groupId: string): Promise<GroupMember> {
    return new GroupMember(await rawClient(context), groupId);
  }

  /** One JoinGroup request. It stores the assigned values of the response. */
  async joinOnce({
    sessionTimeoutMs = 10_000,
    rebalanceTimeoutMs = 10_000,
    protocolType = 'consumer',
    protocols = ['range'],
    version = 5,
  }: JoinOptions = {}) {
    for (;;) {
      const joined = await this.client.request(apis.joinGroup, version, {
        groupId: this.groupId,
        sessionTimeoutMs,
        rebalanceTimeoutMs,
        memberId: this.memberId,
        groupInstanceId: null,
        protocolType,
        protocols: protocols.map((name) => ({ name, metadata: subscription(name) })),
      });
      // The coordinator loads (14) or does not exist yet (15, 16): send the request again.
      if ([14, 15, 16].includes(joined.errorCode)) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      if (joined.memberId !== '') this.memberId = joined.memberId;
      if (joined.errorCode === 0) {
        this.generation = joined.generationId;
        this.leader = joined.leader;
      }
      return joined;
    }
  }

  /** Joins with the id from the first response. */
  async join(options: JoinOptions = {}) {
    const first = await this.joinOnce(options);
    return first.errorCode === 79 ? this.joinOnce(options) : first;
  }

  get isLeader(): boolean {
    return this.leader === this.memberId;
  }

  /** As the leader it assigns each member a separate text. */
  async sync(members: readonly GroupMember[] = []): Promise<[errorCode: number, assignment: string]> {
    const { errorCode, assignment } = await this.client.request(apis.syncGroup, 3, {
      groupId: this.groupId,
      generationId: this.generation,
      memberId: this.memberId,
      groupInstanceId: null,
      assignments: members.map(({ memberId }, at) => ({ memberId, assignment: assignmentOf(`part ${at}`) })),
    });
    return [errorCode, textOfAssignment(assignment)];
  }

  async heartbeat({ memberId = this.memberId, generation = this.generation } = {}): Promise<number> {
    const { errorCode } = await this.client.request(apis.heartbeat, 3, {
      groupId: this.groupId,
      generationId: generation,
      memberId,
      groupInstanceId: null,
    });
    return errorCode;
  }

  async leave(memberId = this.memberId): Promise<number[]> {
    const { errorCode, members } = await this.client.request(apis.leaveGroup, 3, {
      groupId: this.groupId,
      memberId: '',
      members: [{ memberId, groupInstanceId: null }],
    });
    return [errorCode, ...members.map((member) => member.errorCode)];
  }

  async commit(
    topic: string,
    offset: number,
    {
      memberId = this.memberId,
      generation = this.generation,
      metadata = '' as string | null,
      partition = 0,
    } = {},
  ): Promise<number> {
    const { topics } = await this.client.request(apis.offsetCommit, 5, {
      groupId: this.groupId,
      generationId: generation,
      memberId,
      retentionTimeMs: -1,
      topics: [
        {
          name: topic,
          partitions: [{ partitionIndex: partition, committedOffset: offset, committedMetadata: metadata }],
        },
      ],
    });
    return topics[0]?.partitions[0]?.errorCode ?? -1;
  }

  /** Offset, metadata and code of each partition. Null reads every topic. */
  async fetchOffsets(topic: string | null, partitions: number[] = [0]) {
    const response = await this.client.request(apis.offsetFetch, 4, {
      groupId: this.groupId,
      topics: topic === null ? null : [{ name: topic, partitionIndexes: partitions }],
    });
    return response.topics.flatMap((each) =>
      each.partitions.map(({ committedOffset, metadata, errorCode }) => [
        committedOffset,
        metadata,
        errorCode,
      ]),
    );
  }

  async describe() {
    const { groups } = await this.client.request(apis.describeGroups, 2, { groups: [this.groupId] });
    const [group] = groups;
    return {
      errorCode: group?.errorCode,
      state: group?.groupState,
      protocolType: group?.protocolType,
      protocol: group?.protocolData,
      members: group?.members.map(({ clientId, clientHost, memberMetadata, memberAssignment }) => [
        clientId,
        clientHost,
        textOfSubscription(memberMetadata),
        textOfAssignment(memberAssignment),
      ]),
    };
  }

  async delete(): Promise<number[]> {
    const { results } = await this.client.request(apis.deleteGroups, 1, { groupNames: [this.groupId] });
    return results.map(({ errorCode }) => errorCode);
  }
}

/** A stable group with this many members, leader first. */
export async function stableGroup(
  context: CheckContext,
  size: number,
  groupId = context.name('group'),
): Promise<GroupMember[]> {
  const members: GroupMember[] = [];
  for (let left = size; left > 0; left -= 1) {
    const member = await GroupMember.connect(context, groupId);
    const joining = member.join();
    // Heartbeats notify the other members of the new one. Here they join again immediately.
    const again = members.map(async (each) => {
      while ((await each.heartbeat()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await each.join();
    });
    await Promise.all([joining, ...again]);
    members.push(member);
    members.sort((a, b) => Number(b.isLeader) - Number(a.isLeader));
    await Promise.all(members.map((each) => each.sync(each.isLeader ? members : [])));
  }
  return members;
}

/** The format of consumers, because a genuine coordinator reads it. */
function subscription(text: string): Buffer {
  return AssignerProtocol.MemberMetadata.encode({
    version: 0,
    topics: ['topic'],
    userData: Buffer.from(text),
  });
}

function assignmentOf(text: string): Buffer {
  return AssignerProtocol.MemberAssignment.encode({
    version: 0,
    assignment: { topic: [0] },
    userData: Buffer.from(text),
  });
}

export function textOfSubscription(bytes: Buffer): string {
  return bytes.length === 0 ? '' : String(AssignerProtocol.MemberMetadata.decode(bytes)?.userData);
}

function textOfAssignment(bytes: Buffer): string {
  return bytes.length === 0 ? '' : String(AssignerProtocol.MemberAssignment.decode(bytes)?.userData);
}
