import { waitFor } from '@plimsoll/testing';
import { type ShardScene, startShardScene } from '../../test/platform/shard-scene';

const TAKE_OVER_MS = 10_000;
const SETTLE_MS = 30_000;

/** Two processes share the watched wallets, and one of them is killed while a price moves all positions. */
export async function measureTakeover(
  { databaseUrl, kafkaBrokers }: { databaseUrl: string; kafkaBrokers: string },
  wallets: number,
  progress: (line: string) => void,
): Promise<object> {
  progress(`starting two processes with ${wallets} watched wallets`);
  const log = { brokers: [kafkaBrokers], topicPrefix: 'takeover.' };
  const scene = await startShardScene({ url: databaseUrl }, log, wallets);
  try {
    const shared = await waitFor(
      async () => {
        const [one = 0, other = 0] = await followed(scene);
        return one + other === wallets && [one, other];
      },
      { timeoutMs: SETTLE_MS, message: 'every wallet is assigned to a process' },
    );
    await scene.untilAllNotified(await scene.setEther(2_400), SETTLE_MS);
    progress('killing one');
    await scene.instances[0]!.kill9();
    const killedAt = performance.now();
    const block = await scene.setEther(2_300);
    await scene.untilAllNotified(block, SETTLE_MS);
    const takenOverMs = Math.round(performance.now() - killedAt);
    return {
      wallets,
      sharedAs: shared,
      takenOverMs,
      missed: withGaps(scene),
      aim: { takenOverMs: TAKE_OVER_MS, missed: 0 },
    };
  } finally {
    await scene.stop();
  }
}

const followed = ({ instances, followedBy }: ShardScene): Promise<number[]> =>
  Promise.all(instances.map(followedBy));

/** Positions whose events do not count up by one. */
function withGaps({ events }: ShardScene): number {
  const sequences = new Map<string, Set<number>>();
  for (const { value } of events)
    if (value) sequences.set(value.id, (sequences.get(value.id) ?? new Set()).add(value.sequence));
  return [...sequences.values()].filter((seen) => Math.max(...seen) !== seen.size).length;
}
