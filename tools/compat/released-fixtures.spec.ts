import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const folder = path.join(root, 'libs/contracts/src/events/fixtures');
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const hashOf = (file: string): string =>
  createHash('sha256')
    .update(JSON.stringify(json(path.join(folder, file))))
    .digest('hex');

// events.spec.ts parses every fixture. With this, none of a release is missing or other than it was.
describe('event fixtures of releases', () => {
  const released = json(path.join(root, 'deploy/released-fixtures.json')) as Record<
    string,
    Record<string, string>
  >;

  it.each(Object.entries(released))('%s: none has changed since', (_version, fixtures) => {
    expect(Object.keys(fixtures).length).toBeGreaterThan(0);
    const present = new Set(readdirSync(folder));
    const now = Object.keys(fixtures).map((file) => [file, present.has(file) ? hashOf(file) : 'removed']);
    expect(Object.fromEntries(now)).toEqual(fixtures);
  });

  it('are recorded for each release', () => {
    const versions = Object.keys(json(path.join(root, 'deploy/releases.json')) as object);
    const missing = versions.filter((version) => !(version in released));
    if (missing.length === 0) return;
    const now = Object.fromEntries(readdirSync(folder).map((file) => [file, hashOf(file)]));
    throw new Error(
      `Add ${missing.join(', ')} to deploy/released-fixtures.json:\n${JSON.stringify(now, null, 2)}`,
    );
  });
});
