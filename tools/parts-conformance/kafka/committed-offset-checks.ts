import { ensure, type Check } from '../check';
import { adminOf, eventually, topicOf } from './helpers';
import { GroupMember, stableGroup } from './group-member';

const NO_MEMBER = { memberId: '', generation: -1 };

export const committedOffsetChecks: readonly Check[] = [
  {
    name: 'OffsetCommit: a member commits, and anyone reads it',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 2 });
      const [member] = await stableGroup(context, 1);
      const code = await member?.commit(topic, 5, { metadata: 'here' });
      const other = await GroupMember.connect(context, member?.groupId ?? '');
      return [code, await other.fetchOffsets(topic, [0, 1])];
    },
  },
  {
    name: 'OffsetCommit: other generation, unknown member, no member',
    run: async (context) => {
      const topic = await topicOf(context);
      const [member] = await stableGroup(context, 1);
      ensure(member !== undefined, 'no member');
      return [
        await member.commit(topic, 5, { generation: member.generation - 1 }),
        await member.commit(topic, 5, { generation: member.generation + 1 }),
        await member.commit(topic, 5, { memberId: 'nobody' }),
        await member.commit(topic, 5, NO_MEMBER),
        await member.fetchOffsets(topic),
      ];
    },
  },
  {
    name: 'OffsetCommit: a former member of a group that went on',
    run: async (context) => {
      const topic = await topicOf(context);
      const [leader, follower] = await stableGroup(context, 2);
      await follower?.leave();
      await leader?.join();
      await leader?.sync([leader]);
      return [
        await follower?.commit(topic, 9),
        await leader?.commit(topic, 3),
        await leader?.fetchOffsets(topic),
      ];
    },
  },
  {
    name: 'OffsetCommit: during a rebalance the members of the generation may commit',
    run: async (context) => {
      const topic = await topicOf(context);
      const [member] = await stableGroup(context, 1);
      ensure(member !== undefined, 'no member');
      const newcomer = await GroupMember.connect(context, member.groupId);
      const joining = newcomer.join();
      await eventually(async () => (await member.heartbeat()) === 27, 'the rebalance');
      const during = await member.commit(topic, 4);
      await Promise.all([joining, member.join()]);
      const before = await member.commit(topic, 5);
      return [during, before, await member.fetchOffsets(topic)];
    },
  },
  {
    name: 'OffsetCommit: without members, as an admin does',
    run: async (context) => {
      const topic = await topicOf(context);
      const alone = await GroupMember.connect(context, context.name('alone'));
      const code = await alone.commit(topic, 7, NO_MEMBER);
      return [code, await alone.fetchOffsets(topic), (await alone.describe()).state];
    },
  },
  {
    name: 'OffsetCommit: a member of an unknown group',
    run: async (context) => {
      const topic = await topicOf(context);
      const alone = await GroupMember.connect(context, context.name('unknown'));
      return alone.commit(topic, 7, { memberId: 'somebody', generation: 3 });
    },
  },
  {
    name: 'OffsetCommit: an unknown topic and metadata that are too long',
    run: async (context) => {
      const topic = await topicOf(context);
      const alone = await GroupMember.connect(context, context.name('alone'));
      return [
        await alone.commit(context.name('missing'), 7, NO_MEMBER),
        await alone.commit(topic, 7, { ...NO_MEMBER, partition: 9 }),
        await alone.commit(topic, 7, { ...NO_MEMBER, metadata: 'x'.repeat(5_000) }),
        await alone.commit(topic, 7, { ...NO_MEMBER, metadata: null }),
        await alone.fetchOffsets(topic),
      ];
    },
  },
  {
    name: 'OffsetFetch: an unknown group, and all topics of a group',
    run: async (context) => {
      const topic = await topicOf(context);
      const stranger = await GroupMember.connect(context, context.name('nothing'));
      const alone = await GroupMember.connect(context, context.name('alone'));
      await alone.commit(topic, 7, NO_MEMBER);
      return [
        await stranger.fetchOffsets(topic),
        await stranger.fetchOffsets(null),
        await alone.fetchOffsets(null),
      ];
    },
  },
  {
    name: 'DeleteGroups takes the committed offsets with it',
    run: async (context) => {
      const topic = await topicOf(context);
      const alone = await GroupMember.connect(context, context.name('alone'));
      await alone.commit(topic, 7, NO_MEMBER);
      return [await alone.delete(), await alone.fetchOffsets(topic)];
    },
  },
  {
    name: 'DeleteTopics takes the committed offsets with it',
    run: async (context) => {
      const topic = await topicOf(context);
      const alone = await GroupMember.connect(context, context.name('alone'));
      await alone.commit(topic, 7, NO_MEMBER);
      await (await adminOf(context)).deleteTopics({ topics: [topic] });
      await eventually(
        async () => (await alone.fetchOffsets(topic))[0]?.[0] === -1,
        'the offset does not exist',
      );
      return alone.fetchOffsets(topic);
    },
  },
  {
    name: 'kafkajs: sets, fetches and resets the offsets of a group',
    run: async (context) => {
      const topic = await topicOf(context, { partitions: 2 });
      const admin = await adminOf(context);
      const groupId = context.name('group');
      await admin.setOffsets({ groupId, topic, partitions: [{ partition: 1, offset: '3' }] });
      const set = await admin.fetchOffsets({ groupId, topics: [topic] });
      await admin.resetOffsets({ groupId, topic, earliest: true });
      return [set, await admin.fetchOffsets({ groupId, topics: [topic] })].map((each) =>
        each.map(({ partitions }) => [...partitions].sort((a, b) => a.partition - b.partition)),
      );
    },
  },
];
