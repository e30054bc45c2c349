import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type * as LocalParts from '@plimsoll/local-parts';
import type { RunningPart } from '@plimsoll/local-parts';
import { TEST_ADDRESS_VARIABLES, type SharedPart } from './test-addresses';

/** The parts that one test run started itself, and their folder. */
export interface SharedParts {
  parts: RunningPart[];
  folder: string;
}

type Report = (line: string) => void;

const SHARED_PARTS = Object.keys(TEST_ADDRESS_VARIABLES) as SharedPart[];

/**
 * Starts Postgres, Redis and Kafka in parallel, unless their address is set, and sets their addresses. Redis and Kafka
 * are embedded, or genuine with LOCAL_PARTS=genuine.
 * @param report receives one line per part
 */
export async function startSharedParts(localParts: typeof LocalParts, report: Report): Promise<SharedParts> {
  const local = path.join(localParts.workspaceRoot(), '.local');
  const folder = path.join(local, `test-${process.pid}`);
  await mkdir(folder, { recursive: true });
  await removeAbandonedFolders(localParts, local);
  const started = await Promise.allSettled(
    SHARED_PARTS.map((name) => startOne(localParts, name, folder, report)),
  );
  const parts = started.flatMap((result) =>
    result.status === 'fulfilled' && result.value ? [result.value] : [],
  );
  const failure = started.find((result) => result.status === 'rejected');
  if (failure) {
    await stopSharedParts({ parts, folder });
    throw failure.reason;
  }
  return { parts, folder };
}

/** Stops the parts of startSharedParts, and removes their folder. */
export async function stopSharedParts({ parts, folder }: SharedParts): Promise<void> {
  // The data are removed with the folder, so a clean stop would only take longer.
  await Promise.all(parts.map((part) => part.kill9()));
  await rm(folder, { recursive: true, force: true });
}

async function startOne(
  { PART_STARTERS, partsChoice, startPostgres }: typeof LocalParts,
  name: SharedPart,
  folder: string,
  report: Report,
): Promise<RunningPart | undefined> {
  const variable = TEST_ADDRESS_VARIABLES[name];
  if (process.env[variable]) {
    report(`${name}: ${variable} is set, used as it is`);
    return undefined;
  }
  const startedAt = performance.now();
  const choice = partsChoice(process.env['LOCAL_PARTS']);
  const { redis, kafka } = PART_STARTERS[choice];
  const options = { dataDir: path.join(folder, name), logFile: path.join(folder, `${name}.log`) };
  const start = {
    postgres: () => startPostgres({ ...options, isDurable: false }),
    redis: () => redis(options),
    kafka: () => kafka(options),
  };
  const part = await start[name]();
  process.env[variable] = part.url;
  report(
    `${name}${name === 'postgres' ? '' : ` (${choice})`}: ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  return part;
}

async function removeAbandonedFolders({ stillRunning }: typeof LocalParts, local: string): Promise<void> {
  const folders = (await readdir(local)).filter((name) => /^test-\d+$/.test(name));
  const pids = folders.map((name) => Number(name.slice('test-'.length)));
  const running = new Set(await stillRunning(pids));
  const abandoned = pids.filter((pid) => !running.has(pid));
  await Promise.all(
    abandoned.map((pid) => rm(path.join(local, `test-${pid}`), { recursive: true, force: true })),
  );
}
