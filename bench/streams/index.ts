import { parseArgs } from 'node:util';
import { ensureDatabase } from '@plimsoll/local-parts';
import { startPublisher, testIdentityKeys } from '@plimsoll/testing';
import { startBare } from './bare-contender';
import { startCentrifugo } from './centrifugo-contender';
import { type OurParts, startOurs } from './our-contender';
import { runLoad } from './run-load';
import { startStreamParts } from './stream-parts';
import { mediansOf, summarise } from './summarise';
import { startThroughGateway } from './through-gateway';
import { CONTENDERS, type Contender, type ContenderName, type Load, type Measurement, PIPE } from './types';

export const description =
  'fan-out to 2,000 and 10,000 connections, against ws, Socket.IO and Centrifugo, and through the gateway [--rounds N] [--seconds N] [--warm-up N] [--only a,b]';

type Shape = Omit<Load, 'seconds' | 'warmUpSeconds'>;

const LOADS: readonly [Shape, Shape] = [
  { connections: 2_000, messagesPerSecond: 20 },
  { connections: 10_000, messagesPerSecond: 2 },
];

/** These contenders are far from their limit, so every other round is sufficient. */
const EVERY_OTHER_ROUND: ReadonlySet<ContenderName> = new Set(['oursSocketIo', 'bareSocketIo']);

/** This contender is not compared with another. */
const PIPE_ROUNDS = 3;

/** Standard output contains only the result. */
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
  const withPipe = values.only === '' || values.only.split(',').includes(PIPE);
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
      if (name !== 'ours' && name !== 'oursSocketIo' && name !== PIPE) return startBare(name);
      const log = { brokers: [kafka.url], topicPrefix: `${turn}.` };
      const database = new URL(postgres.url);
      database.pathname = turn.replaceAll('-', '_').toLowerCase();
      await ensureDatabase(postgres.url, database.pathname.slice(1));
      const publisher = await startPublisher(database.href, log);
      const own: OurParts = { ...log, redisUrl: redis.url, identityKeys: testIdentityKeys(), publisher };
      const contender =
        name === PIPE
          ? await startThroughGateway(own, database.href, folder, connections)
          : await startOurs(own, connections, name === 'oursSocketIo');
      const end = async (): Promise<void> => {
        await contender.end();
        await publisher.stop();
      };
      return { ...contender, end };
    };
    const measure = async (name: ContenderName, load: Load, round: number): Promise<Measurement> => {
      const turn = `bench${load.connections}-${round}-${name}`;
      const contender = await start(name, load.connections, turn);
      try {
        const measurement = { round, ...(await runLoad(name, contender, load)) };
        progress(JSON.stringify({ connections: load.connections, ...measurement }));
        return measurement;
      } finally {
        await contender.end();
      }
    };
    const rounds = Number(values.rounds);
    const timed = (shape: Shape): Load => ({
      ...shape,
      seconds: Number(values.seconds),
      warmUpSeconds: Number(values['warm-up']),
    });
    const results: { load: Load; measurements: Measurement[] }[] = [];
    for (const load of names.length > 0 ? LOADS.map(timed) : []) {
      const measurements: Measurement[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        for (const name of names) {
          if (round % 2 === 0 && EVERY_OTHER_ROUND.has(name)) continue;
          measurements.push(await measure(name, load, round));
        }
      }
      results.push({ load, measurements });
    }
    const piped: Measurement[] = [];
    const pipeRounds = withPipe ? Math.min(rounds, PIPE_ROUNDS) : 0;
    for (let round = 1; round <= pipeRounds; round += 1) {
      piped.push(await measure(PIPE, timed(LOADS[0]), round));
    }
    return {
      rounds,
      loads: results.map(({ load, measurements }) => summarise(load, measurements)),
      gatewayPipe: {
        of: 'CPU and memory of the gateway alone; all else as its clients see ours through it',
        rounds: piped.length,
        load: timed(LOADS[0]),
        medians: mediansOf(piped)[PIPE] ?? null,
      },
    };
  } finally {
    await parts.stop();
  }
}
