import { parseArgs } from 'node:util';
import { workspaceRoot } from '@plimsoll/local-parts';
import { startOwnKafka, startOwnPostgres } from '@plimsoll/testing';
import { buildApps } from '../../tools/local-stack/services/build';
import { stackPaths } from '../../tools/local-stack/settings/stack-paths';
import { measureAdvance } from './advance';
import { measureReads } from './reads';
import { measureTakeover } from './takeover';
import { measureTick } from './tick';

export const description =
  'positions: wallets/s, RPC calls and batches over two local chains, a killed process of two, a price tick over a million positions, a block over the wallets of one market [--only reads,takeover,tick,advance] [--wallets N]';

const PARTS = ['reads', 'takeover', 'tick', 'advance'] as const;

/** Standard output contains only the result. */
const progress = (line: string): void => console.error(line);

/** Reads and takeover on separate real Postgres, Kafka and EVM nodes, with the built service. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: PARTS.join(',') },
      wallets: { type: 'string', default: '1000' },
    },
  });
  const wanted = values.only.split(',');
  return {
    bench: 'positions',
    ...(wanted.includes('tick') && { tick: measureTick(progress) }),
    ...(wanted.includes('advance') && { advance: await measureAdvance(progress) }),
    ...(wanted.some((part) => part === 'reads' || part === 'takeover') &&
      (await measureService(wanted, Number(values.wallets)))),
  };
}

async function measureService(wanted: readonly string[], wallets: number): Promise<object> {
  progress('building the services');
  await buildApps(stackPaths(workspaceRoot()));
  progress('starting Postgres and Kafka');
  const [postgres, kafka] = await Promise.all([startOwnPostgres('plimsoll'), startOwnKafka()]);
  const parts = { databaseUrl: postgres.url, kafkaBrokers: kafka.url };
  try {
    return {
      ...(wanted.includes('reads') && { reads: await measureReads(parts, progress) }),
      ...(wanted.includes('takeover') && { takeover: await measureTakeover(parts, wallets, progress) }),
    };
  } finally {
    await Promise.all([postgres.dispose(), kafka.dispose()]);
  }
}
