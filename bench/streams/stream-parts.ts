import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  startKafka,
  startPostgres,
  startRedis,
  workspaceRoot,
  type RunningPart,
} from '@plimsoll/local-parts';

/** Kafka, Postgres and Redis of one bench, in a separate folder. */
export interface StreamParts {
  folder: string;
  kafka: RunningPart;
  postgres: RunningPart;
  redis: RunningPart;
  /** Stops them and removes their folder. */
  stop: () => Promise<void>;
}

/** Starts the parts for the streams and a publisher. @param bench names the folder below .local */
export async function startStreamParts(bench: string): Promise<StreamParts> {
  const local = path.join(workspaceRoot(), '.local');
  await mkdir(local, { recursive: true });
  const folder = await mkdtemp(path.join(local, `bench-${bench}-`));
  const options = (name: string) => ({
    dataDir: path.join(folder, name),
    logFile: path.join(folder, `${name}.log`),
  });
  const [kafka, postgres, redis] = await Promise.all([
    startKafka(options('kafka')),
    startPostgres({ ...options('postgres'), isDurable: false }),
    startRedis(options('redis')),
  ]);
  const stop = async (): Promise<void> => {
    await Promise.all([kafka, postgres, redis].map((part) => part.kill9()));
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, kafka, postgres, redis, stop };
}
