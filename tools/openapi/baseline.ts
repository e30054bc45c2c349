import { execFileSync } from 'node:child_process';
import type { Json } from './components';

/** An earlier document that clients use, and the commit that has it. */
export interface Baseline {
  commit: string;
  document: Json;
}

const GIT_DEADLINE_MS = 10_000;
const MOST_BYTES = 64 * 1_048_576;

/**
 * Returns the document of the last release (the newest tag `v…` before this commit). Without a release it is the
 * document of the main branch before this work: the merge base of a branch, or on main the first parent.
 * @param file path in the repository
 * @returns null where git has no such commit, as in an archive or a shallow clone
 */
export function baselineOf(file: string): Baseline | null {
  const commit = release() ?? beforeThisWork();
  const text = commit && git('show', `${commit}:${file}`);
  return text ? { commit, document: JSON.parse(text) as Json } : null;
}

const release = (): string | null => git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*');

function beforeThisWork(): string | null {
  const head = git('rev-parse', 'HEAD');
  const base = git('merge-base', 'HEAD', 'main') ?? git('merge-base', 'HEAD', 'origin/main');
  return base !== null && base !== head ? base : git('rev-parse', '--verify', 'HEAD^1');
}

function git(...args: string[]): string | null {
  try {
    const options = { encoding: 'utf8', timeout: GIT_DEADLINE_MS, maxBuffer: MOST_BYTES } as const;
    return execFileSync('git', args, { ...options, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
