import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SERVICES } from '@plimsoll/access';

const GIT_MS = 30_000;

/**
 * Creates the tags of deploy/releases.json that this clone lacks. A release of the whole platform is also one of each
 * service.
 */
export function main(): void {
  const git = (...words: string[]): string =>
    execFileSync('git', words, { encoding: 'utf8', timeout: GIT_MS }).trim();
  const releases = JSON.parse(readFileSync('deploy/releases.json', 'utf8')) as Record<string, string>;
  const known = new Set(git('tag', '--list').split('\n'));
  for (const [version, commit] of Object.entries(releases)) {
    const ofServices = version.startsWith('v') ? SERVICES.map((name) => `${name}@${version.slice(1)}`) : [];
    for (const tag of [version, ...ofServices].filter((each) => !known.has(each))) {
      git('tag', tag, commit);
      console.log(`${tag} ${commit}`);
    }
  }
}
