import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  PART_STARTERS,
  partsChoice,
  startEvm,
  startPostgres,
  workspaceRoot,
  type EvmOptions,
  type PartOptions,
  type RunningPart,
} from '@plimsoll/local-parts';

/** The folder for the data of separate parts, under the ignored `.local`. */
export interface TestFolder {
  path: string;
  remove(): Promise<void>;
}

/** Creates an empty folder for data and logs of a test's separate parts. */
export async function createTestFolder(): Promise<TestFolder> {
  const local = path.join(workspaceRoot(), '.local');
  mkdirSync(local, { recursive: true });
  const folder = await mkdtemp(path.join(local, 'own-'));
  // Postgres, started as root, runs as another user.
  await chmod(folder, 0o711);
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A separate part of a test, which the test may kill and start again. */
export interface OwnPart extends RunningPart {
  /** Starts it again on the same port with the same data. The former process must have ended. */
  restart(): Promise<OwnPart>;
  /** Kills it and removes its data. */
  dispose(): Promise<void>;
}

/** A separate Kafka for tests that stop it: embedded, or genuine with LOCAL_PARTS=genuine. */
export function startOwnKafka(): Promise<OwnPart> {
  return startOwn(PART_STARTERS[partsChoice(process.env['LOCAL_PARTS'])].kafka);
}

/** A separate Redis for tests that stop it: embedded, or genuine with LOCAL_PARTS=genuine. */
export function startOwnRedis(): Promise<OwnPart> {
  return startOwn(PART_STARTERS[partsChoice(process.env['LOCAL_PARTS'])].redis);
}

/** A separate Postgres for tests that stop it. Committed data survive kill9. */
export function startOwnPostgres(database?: string): Promise<OwnPart> {
  return startOwn((options) => startPostgres({ ...options, database }));
}

/** A separate EVM node. */
export function startOwnEvm(
  options: Omit<EvmOptions, keyof PartOptions> & { port?: number },
): Promise<OwnPart> {
  return startOwn((own) => startEvm({ ...options, ...own }), options.port);
}

async function startOwn(
  start: (options: PartOptions) => Promise<RunningPart>,
  port?: number,
): Promise<OwnPart> {
  const folder = await createTestFolder();
  const options = { dataDir: path.join(folder.path, 'data'), logFile: path.join(folder.path, 'part.log') };
  const own = (part: RunningPart): OwnPart => ({
    ...part,
    restart: async () => own(await start({ ...options, port: part.port })),
    dispose: async () => {
      await part.kill9();
      await folder.remove();
    },
  });
  try {
    return own(await start({ ...options, port }));
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
