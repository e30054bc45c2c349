import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { releaseChangelog, releaseVersion } from 'nx/release';
import { USAGE, nextCommands, releaseOptions } from './release';

const RELEASES = 'deploy/releases.json';
const FIXTURE_HASHES = 'deploy/released-fixtures.json';
const FIXTURES = 'libs/contracts/src/events/fixtures';
const PRETTIER = require.resolve('prettier/bin/prettier.cjs');
const GIT_MS = 30_000;

function git(...words: string[]): string {
  return execFileSync('git', words, { encoding: 'utf8', timeout: GIT_MS }).trim();
}

/** Releases one service: version, changelog, commit and tag. */
export async function main(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'node-image': text, registry: text, 'dry-run': flag, help: flag },
    });
    if (values.help) console.log(USAGE);
    else await release(releaseOptions(positionals, values));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
  }
}

async function release(options: ReturnType<typeof releaseOptions>): Promise<void> {
  const { service, isDryRun } = options;
  if (git('status', '--porcelain') !== '') throw new Error('Commit or remove your changes first.');
  const former = latestTag(service);
  const common = { projects: [service as string], dryRun: isDryRun, gitCommit: false, gitTag: false };
  const { projectsVersionData } = await releaseVersion({ ...common, stageChanges: false });
  const version = projectsVersionData[service]?.newVersion;
  if (!version) throw new Error(`No commit since ${former} affects ${service}: there is nothing to release.`);
  await releaseChangelog({
    ...common,
    stageChanges: false,
    versionData: projectsVersionData,
    from: former,
  });
  const commit = git('rev-parse', 'HEAD');
  const tag = `${service}@${version}`;
  const changelog = path.join('apps', service, 'CHANGELOG.md');
  if (!isDryRun) {
    addTo(RELEASES, tag, commit);
    addTo(FIXTURE_HASHES, tag, fixtureHashes());
    execFileSync(process.execPath, [PRETTIER, '--write', '--log-level=warn', changelog], { timeout: GIT_MS });
    git('add', RELEASES, FIXTURE_HASHES, changelog);
    git('commit', '--quiet', '--message', `chore(${service}): release ${version}`);
    git('tag', '--annotate', '--message', `${service} ${version}`, tag);
  }
  console.log(
    `\n${isDryRun ? 'Would release' : 'Released'} ${tag} of ${commit}. Next:\n\n${nextCommands(options, version, commit)}`,
  );
}

function addTo(file: string, tag: string, value: unknown): void {
  const content = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, `${JSON.stringify({ ...content, [tag]: value }, null, 2)}\n`);
}

/** The events that the service of this release reads and writes: no later version may change them. */
function fixtureHashes(): Record<string, string> {
  const hashOf = (file: string): string => {
    const content: unknown = JSON.parse(readFileSync(path.join(FIXTURES, file), 'utf8'));
    return createHash('sha256').update(JSON.stringify(content)).digest('hex');
  };
  return Object.fromEntries(readdirSync(FIXTURES).map((file) => [file, hashOf(file)]));
}

/** @throws Error when the service has no tag, which a clone may lack */
function latestTag(service: string): string {
  const tags = git('tag', '--list', `${service}@*`, '--sort=-version:refname', '--merged', 'HEAD');
  const [tag] = tags.split('\n');
  if (tag) return tag;
  throw new Error(
    `There is no tag ${service}@… in this clone. Run git fetch --tags, or npm run tool -- release:tags for the tags of deploy/releases.json.`,
  );
}
