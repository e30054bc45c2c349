import { apis } from '@plimsoll/local-broker';
import { ensure, type Check } from '../check';
import { eventually, rawClient } from './helpers';
import { GroupMember, stableGroup, textOfSubscription } from './group-member';

export const groupChecks: readonly Check[] = [
  {
    name: 'JoinGroup: a member is given its id first, and joins with it',
    run: async (context) => {
      const member = await GroupMember.connect(context, context.name('group'));
      const first = await member.joinOnce();
      const second = await member.joinOnce();
      return [
        [first.errorCode, first.generationId, first.memberId !== ''],
        [second.errorCode, second.generationId, second.protocolName, second.memberId === first.memberId],
        [
          second.leader === second.memberId,
          second.members.map(({ metadata }) => textOfSubscription(metadata)),
        ],
      ];
    },
  },
  {
    name: 'JoinGroup: versions before 4 join without an id',
    run: async (context) => {
      const member = await GroupMember.connect(context, context.name('group'));
      const joined = await member.joinOnce({ version: 3 });
      return [joined.errorCode, joined.generationId, joined.members.length];
    },
  },
  {
    name: 'JoinGroup: the id of a member begins with its client id',
    run: async (context) => {
      const member = await GroupMember.connect(context, context.name('group'));
      await member.join();
      return member.memberId.startsWith('conformance-');
    },
  },
  {
    name: 'JoinGroup: refuses unknown members, empty groups, session times and types that do not fit',
    run: async (context) => {
      const unknown = await GroupMember.connect(context, context.name('group'));
      unknown.memberId = 'nobody';
      const nameless = await GroupMember.connect(context, '');
      const hasty = await GroupMember.connect(context, context.name('hasty'));
      return [
        (await unknown.joinOnce()).errorCode,
        (await nameless.joinOnce()).errorCode,
        (await hasty.joinOnce({ sessionTimeoutMs: 10 })).errorCode,
        (await hasty.joinOnce({ sessionTimeoutMs: 10_000_000 })).errorCode,
        (await hasty.joinOnce({ protocols: [] })).errorCode,
      ];
    },
  },
  {
    name: 'JoinGroup: refuses a protocol or a type that the group does not share',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      const other = await GroupMember.connect(context, member?.groupId ?? '');
      return [
        (await other.join({ protocols: ['sticky'] })).errorCode,
        (await other.join({ protocolType: 'connect' })).errorCode,
      ];
    },
  },
  {
    name: 'SyncGroup: each member gets what the leader assigned it',
    run: async (context) => {
      const groupId = context.name('group');
      const members = await stableGroup(context, 2, groupId);
      // The repeated request causes no rebalance, because a response may have been lost.
      const again = await Promise.all(members.map((member) => member.sync()));
      return [members.map(({ generation }) => generation), again];
    },
  },
  {
    name: 'SyncGroup: unknown member, other generation',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      ensure(member !== undefined, 'no member');
      const { memberId, generation } = member;
      member.generation = generation + 1;
      const [later] = await member.sync();
      member.generation = generation;
      member.memberId = 'nobody';
      const [unknown] = await member.sync();
      member.memberId = memberId;
      return [later, unknown, (await member.sync())[0]];
    },
  },
  {
    name: 'Heartbeat: stable, unknown member, other generation, unknown group',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      const stranger = await GroupMember.connect(context, context.name('nothing'));
      return [
        await member?.heartbeat(),
        await member?.heartbeat({ memberId: 'nobody' }),
        await member?.heartbeat({ generation: 99 }),
        await stranger.heartbeat({ memberId: 'nobody', generation: 1 }),
      ];
    },
  },
  {
    name: 'a newcomer begins a rebalance, which the others learn from heartbeats',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      ensure(member !== undefined, 'no member');
      const newcomer = await GroupMember.connect(context, member.groupId);
      const joining = newcomer.join();
      await eventually(async () => (await member.heartbeat()) === 27, 'the rebalance');
      const during = [(await member.sync())[0], (await member.describe()).state];
      const again = await member.join();
      const joined = await joining;
      return [during, again.generationId, joined.generationId, again.members.length + joined.members.length];
    },
  },
  {
    name: 'a group begins with the first member that joins, even when another member was given an id',
    run: async (context) => {
      const groupId = context.name('group');
      await (await GroupMember.connect(context, groupId)).joinOnce();
      const { errorCode, generationId, members } = await (await GroupMember.connect(context, groupId)).join();
      return [errorCode, generationId, members.length];
    },
  },
  {
    name: 'the follower waits in SyncGroup for the leader',
    run: async (context) => {
      const [leader] = await stableGroup(context, 1);
      ensure(leader !== undefined, 'no member');
      const follower = await GroupMember.connect(context, leader.groupId);
      const joining = follower.join();
      await eventually(async () => (await leader.heartbeat()) === 27, 'the rebalance');
      await Promise.all([joining, leader.join()]);
      ensure(leader.isLeader && !follower.isLeader, 'the leader is another one');
      const waiting = follower.sync();
      await new Promise((resolve) => setTimeout(resolve, 200));
      const state = (await leader.describe()).state;
      const own = await leader.sync([leader, follower]);
      return [leader.generation, follower.generation, state, own, await waiting];
    },
  },
  {
    name: 'LeaveGroup: the member is out, and the others rebalance',
    run: async (context) => {
      const [leader, follower] = await stableGroup(context, 2);
      const left = await follower?.leave();
      const code = await leader?.heartbeat();
      const joined = await leader?.join();
      return [left, code, joined?.members.length, await follower?.heartbeat()];
    },
  },
  {
    name: 'LeaveGroup: unknown member, unknown group',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      const stranger = await GroupMember.connect(context, context.name('nothing'));
      return [await member?.leave('nobody'), await stranger.leave('nobody')];
    },
  },
  {
    name: 'LeaveGroup: another client takes out a member that is silent in a rebalance',
    run: async (context) => {
      const [silent] = await stableGroup(context, 1);
      ensure(silent !== undefined, 'no member');
      const newcomer = await GroupMember.connect(context, silent.groupId);
      const other = await GroupMember.connect(context, silent.groupId);
      const joining = newcomer.join();
      await eventually(async () => (await other.describe()).state === 'PreparingRebalance', 'the rebalance');
      const left = await other.leave(silent.memberId);
      const joined = await joining;
      return [left, joined.errorCode, joined.members.length];
    },
  },
  {
    name: 'a member without heartbeats is out when its session is over',
    run: async (context) => {
      const groupId = context.name('group');
      const member = await GroupMember.connect(context, groupId);
      await member.join({ sessionTimeoutMs: 6_000 });
      await member.sync([member]);
      const startedAt = performance.now();
      for (let state = 'Stable'; state !== 'Empty';) {
        ensure(performance.now() - startedAt < 15_000, `the group is ${state}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
        state = (await member.describe()).state ?? '';
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      return [seconds > 5.5 && seconds < 9, await member.heartbeat()];
    },
  },
  {
    name: 'a member that does not join again is out when the rebalance time is over',
    run: async (context) => {
      const groupId = context.name('group');
      const silent = await GroupMember.connect(context, groupId);
      await silent.join({ sessionTimeoutMs: 30_000, rebalanceTimeoutMs: 1_500 });
      await silent.sync([silent]);
      const newcomer = await GroupMember.connect(context, groupId);
      const startedAt = performance.now();
      const joined = await newcomer.join({ sessionTimeoutMs: 30_000, rebalanceTimeoutMs: 1_500 });
      const seconds = (performance.now() - startedAt) / 1_000;
      return [joined.errorCode, joined.members.length, seconds > 1.2 && seconds < 5];
    },
  },
  {
    name: 'DescribeGroups: a stable group, with client, metadata and assignment',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      return member?.describe();
    },
  },
  {
    name: 'DescribeGroups: an empty group and an unknown one',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      await member?.leave();
      const stranger = await GroupMember.connect(context, context.name('nothing'));
      return [await member?.describe(), await stranger.describe()];
    },
  },
  {
    name: 'ListGroups: has the group, with its type',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      const client = await rawClient(context);
      const { groups } = await client.request(apis.listGroups, 2, {});
      return groups
        .filter(({ groupId }) => groupId === member?.groupId)
        .map(({ protocolType }) => protocolType);
    },
  },
  {
    name: 'DeleteGroups: with members, without, unknown',
    run: async (context) => {
      const [member] = await stableGroup(context, 1);
      const full = await member?.delete();
      await member?.leave();
      return [full, await member?.delete(), await member?.delete(), (await member?.describe())?.state];
    },
  },
];
