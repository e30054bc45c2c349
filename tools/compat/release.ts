import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const execFileAsync = promisify(execFile);
const STEP_MS = 900_000;
const GIT_DEADLINE_MS = 10_000;
const MOST_OUTPUT = 16 * 1024 * 1024;
const TAIL_CHARACTERS = 3_000;

/** A checkout of a release with its packages and its build. */
export interface Release {
  folder: string;
  commit: string;
}

/**
 * The commit of a released version: of deploy/releases.json, or of its tag, which a clone may lack.
 * @throws Error that names the versions
 */
export function commitOf(root: string, version: string): string {
  const file = path.join(root, 'deploy/releases.json');
  const releases = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const commit = releases[version] ?? resolved(root, `refs/tags/${version}`);
  if (commit !== undefined) return commit;
  throw new Error(
    `There is no release ${version}. deploy/releases.json has ${Object.keys(releases).join(', ')}.`,
  );
}

/** Makes the checkout and the build of a release, or finds them. @throws Error of the step that failed */
export async function buildRelease(
  root: string,
  version: string,
  progress: (line: string) => void,
): Promise<Release> {
  const commit = commitOf(root, version);
  const folder = path.join(root, '.local/releases', version);
  if (existsSync(folder) && resolved(folder, 'HEAD') === commit) return { folder, commit };
  if (resolved(root, commit) === undefined)
    throw new Error(`This clone lacks commit ${commit} of ${version}. Run git fetch --unshallow --tags.`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true });
  const step = async (file: string, ...words: string[]): Promise<void> => {
    progress(`${version}: ${file} ${words.join(' ')}`);
    await run(file, words, existsSync(unfinished) ? unfinished : root);
  };
  await step('git', 'clone', '--quiet', '--no-checkout', root, unfinished);
  await step('git', 'checkout', '--quiet', '--detach', commit);
  await step('npm', 'ci', '--no-progress');
  await step('npm', 'run', 'build');
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return { folder, commit };
}

/** The commit of a revision, or undefined when the repository does not have it. */
export function resolved(folder: string, revision: string): string | undefined {
  try {
    const words = ['rev-parse', '--quiet', '--verify', `${revision}^{commit}`];
    const options = { cwd: folder, encoding: 'utf8', timeout: GIT_DEADLINE_MS } as const;
    return execFileSync('git', words, { ...options, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Runs a step, and shows the end of its output when it fails. */
export async function run(file: string, words: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
  const options = { cwd, env, timeout: STEP_MS, maxBuffer: MOST_OUTPUT };
  try {
    await execFileAsync(file, [...words], options);
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      killed,
    } = error as { stdout?: string; stderr?: string; killed?: boolean };
    const how = killed ? `did not end within ${STEP_MS / 60_000} minutes` : 'failed';
    const output = (stdout + stderr || (error as Error).message).slice(-TAIL_CHARACTERS);
    throw new Error(`${file} ${words.join(' ')} ${how} in ${cwd}:\n${output}`, { cause: error });
  }
}
