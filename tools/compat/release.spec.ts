import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildRelease, commitOf } from './release';

const root = path.join(__dirname, '../..');
const LOST = '0123456789abcdef0123456789abcdef01234567';

describe('commitOf', () => {
  it('is the commit of deploy/releases.json', () => {
    expect(commitOf(root, 'v0.9.0')).toMatch(/^[0-9a-f]{40}$/);
  });

  it('names the releases when there is none of that name', () => {
    expect(() => commitOf(root, 'v0.0.1')).toThrow(/^There is no release v0\.0\.1\. .* has v0\.9\.0/);
  });
});

describe('buildRelease', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-release-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says how to get a commit that a shallow clone lacks', async () => {
    mkdirSync(path.join(folder, 'deploy'));
    writeFileSync(path.join(folder, 'deploy/releases.json'), JSON.stringify({ 'v1.2.3': LOST }));
    await expect(buildRelease(folder, 'v1.2.3', () => undefined)).rejects.toThrow(
      `This clone lacks commit ${LOST} of v1.2.3. Run git fetch --unshallow --tags.`,
    );
  });
});
