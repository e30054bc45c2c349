import { isDeepStrictEqual } from 'node:util';
import type { Check, CheckContext, StartedPart, Suite } from './check';

/** Longest time of a check, in which a genuine part may start again. */
const CHECK_MS = 120_000;

/** The observations of one form of a part in one check. */
export interface Observation {
  /** As JSON. */
  value?: unknown;
  /** Why the check failed. */
  error?: string;
  ms: number;
}

/** One row of the table. */
export interface Row {
  part: string;
  check: string;
  embedded: Observation;
  genuine?: Observation;
  verdict: 'same' | 'different' | 'failed' | 'passed';
}

export interface RunOptions {
  folder: string;
  /** False: only the embedded part runs, and nothing is compared. */
  withGenuine: boolean;
  /** Selects the checks whose name contains it. */
  only?: string;
  onProgress(line: string): void;
}

/** Runs the checks of a suite against both forms, one form after the other. */
export async function runSuite(suite: Suite, options: RunOptions): Promise<Row[]> {
  const checks = suite.checks.filter(({ name }) => name.includes(options.only ?? ''));
  const folder = (form: string): string => `${options.folder}/${suite.part}-${form}`;
  options.onProgress(`${suite.part}: ${checks.length} checks, embedded`);
  const embedded = await observe(await suite.startEmbedded(folder('embedded')), checks, options);
  let genuine: Observation[] = [];
  if (options.withGenuine) {
    options.onProgress(`${suite.part}: ${checks.length} checks, genuine`);
    genuine = await observe(await suite.startGenuine(folder('genuine')), checks, options, embedded);
  }
  return checks.map(({ name }, at) => {
    const own = embedded[at] ?? { error: 'not run', ms: 0 };
    return {
      part: suite.part,
      check: name,
      embedded: own,
      genuine: genuine[at],
      verdict: judge(own, genuine[at]),
    };
  });
}

async function observe(
  part: StartedPart,
  checks: readonly Check[],
  { onProgress }: RunOptions,
  others: readonly Observation[] = [],
): Promise<Observation[]> {
  const observations: Observation[] = [];
  try {
    for (const [at, check] of checks.entries()) {
      const observation = await observeOne(part, check, at);
      if (observation.error !== undefined) onProgress(`  ${check.name}: ${observation.error}`);
      else if (judge(others[at] ?? observation, observation) === 'different') {
        onProgress(
          `  ${check.name}: ${JSON.stringify(observation.value)} is not ${JSON.stringify(others[at]?.value)}`,
        );
      }
      observations.push(observation);
    }
    return observations;
  } finally {
    await part.stop();
  }
}

async function observeOne(part: StartedPart, check: Check, at: number): Promise<Observation> {
  const cleanUps: (() => unknown)[] = [];
  const context: CheckContext = {
    address: part.address,
    name: (label) => `check-${at}-${label}`,
    defer: (cleanUp) => cleanUps.unshift(cleanUp),
    crash: () => part.crash(),
  };
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error(`took longer than ${CHECK_MS} ms`)), CHECK_MS);
  });
  try {
    const value = await Promise.race([check.run(context), late]);
    return { value: JSON.parse(JSON.stringify(value ?? null)) as unknown, ms: elapsed() };
  } catch (error) {
    return { error: messagesOf(error as Error), ms: elapsed() };
  } finally {
    clearTimeout(timeout);
    for (const cleanUp of cleanUps) await Promise.resolve(cleanUp()).catch(() => undefined);
  }
}

/** A check that fails on one of the parts counts as failed, even when it fails on both. */
function judge(embedded: Observation, genuine: Observation | undefined): Row['verdict'] {
  if (embedded.error !== undefined || genuine?.error !== undefined) return 'failed';
  if (!genuine) return 'passed';
  return isDeepStrictEqual(embedded.value, genuine.value) ? 'same' : 'different';
}

/** The message of an error, and of the errors that it has. */
function messagesOf(error: Error & { errors?: Error[] }): string {
  return [error.message, ...(error.errors ?? []).map(messagesOf)].join(' ');
}
