import { parseArgs } from 'node:util';
import { ensureDatabase } from '@plimsoll/local-parts';
import { startPublisher, testIdentityKeys } from '@plimsoll/testing';
import { startBare } from './bare-contender';
import { startCentrifugo } from './centrifugo-contender';
import { type OurParts, startOurs } from './our-contender';
import { runLoad } from './run-load';
import { startStreamParts } from './stream-parts';
import { summarise } from './summarise';
import { CONTENDERS, type Contender, type ContenderName, type Load, type Measurement } from './types';

export const description =
  'fan-out to 2,000 and 10,000 connections, against ws, Socket.IO and Centrifugo [--rounds N] [--seconds N] [--warm-up N] [--only a,b]';

const LOADS: readonly Omit<Load, 'seconds' | 'warmUpSeconds'>[] = [
  { connections: 2_000, messagesPerSecond: 20 },
  { connections: 10_000, messagesPerSecond: 2 },
];

/** Far from their reach: every other round is enough. */
const SELDOM: ReadonlySet<ContenderName> = new Set(['oursSocketIo', 'bareSocketIo']);

/** Standard output is for the result alone. */
const progress = (line: string): void => console.error(line);

/** Starts its own Kafka, Postgres and Redis, and measures one contender after the other, taking turns. */
export async function run(args: string[]): Promise<object> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '6' },
      'warm-up': { type: 'string', default: '10' },
      only: { type: 'string', default: '' },
    },
  });
  const centrifugo = process.env['CENTRIFUGO_BIN'];
  if (!centrifugo) progress('CENTRIFUGO_BIN is not set: Centrifugo is left out. It names its binary.');
  const wanted =
    values.only === '' ? CONTENDERS : CONTENDERS.filter((each) => values.only.split(',').includes(each));
  const names = wanted.filter((name) => name !== 'centrifugo' || centrifugo);
  progress('starting Kafka, Postgres and Redis');
  const parts = await startStreamParts('streams');
  const { folder, kafka, postgres, redis } = parts;
  try {
    const start = async (name: ContenderName, connections: number, turn: string): Promise<Contender> => {
      if (name === 'centrifugo') return startCentrifugo(centrifugo ?? '', folder);
      if (name !== 'ours' && name !== 'oursSocketIo') return startBare(name);
      const log = { brokers: [kafka.url], topicPrefix: `${turn}.` };
      const database = new URL(postgres.url);
      database.pathname = turn.replaceAll('-', '_').toLowerCase();
      await ensureDatabase(postgres.url, database.pathname.slice(1));
      const publisher = await startPublisher(database.href, log);
      const own: OurParts = { ...log, redisUrl: redis.url, identityKeys: testIdentityKeys(), publisher };
      const contender = await startOurs(own, connections, name === 'oursSocketIo');
      const end = async (): Promise<void> => {
        await contender.end();
        await publisher.stop();
      };
      return { ...contender, end };
    };
    const results: { load: Load; measurements: Measurement[] }[] = [];
    for (const [at, shape] of LOADS.entries()) {
      const load = { ...shape, seconds: Number(values.seconds), warmUpSeconds: Number(values['warm-up']) };
      const measurements: Measurement[] = [];
      for (let round = 0; round < Number(values.rounds); round += 1) {
        for (const name of names) {
          if (round % 2 === 1 && SELDOM.has(name)) continue;
          const contender = await start(name, load.connections, `bench${at}-${round}-${name}`);
          try {
            const measurement = { round: round + 1, ...(await runLoad(name, contender, load)) };
            progress(JSON.stringify({ connections: load.connections, ...measurement }));
            measurements.push(measurement);
          } finally {
            await contender.end();
          }
        }
      }
      results.push({ load, measurements });
    }
    return {
      rounds: Number(values.rounds),
      loads: results.map(({ load, measurements }) => summarise(load, measurements)),
    };
  } finally {
    await parts.stop();
  }
}
