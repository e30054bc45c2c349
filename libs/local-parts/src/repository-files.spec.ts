import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryFiles } from './repository-files';

describe('repositoryFiles', () => {
  let root: string;

  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'repository-'));
    for (const file of [
      'a.ts',
      'apps/one/b.ts',
      'apps/one/dist/c.js',
      'apps/two.ts',
      'note.log',
      '.git/HEAD',
      '.ci/run',
    ]) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), '');
    }
    writeFileSync(path.join(root, '.gitignore'), 'dist/\n*.log\n');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('leaves out what .gitignore names, and .git', () => {
    expect(repositoryFiles(root)).toEqual(['.ci/run', '.gitignore', 'a.ts', 'apps/one/b.ts', 'apps/two.ts']);
  });

  it('takes folders and files', () => {
    expect(repositoryFiles(root, ['apps/one', 'a.ts'])).toEqual(['a.ts', 'apps/one/b.ts']);
    expect(repositoryFiles(root, ['apps/'])).toEqual(['apps/one/b.ts', 'apps/two.ts']);
    expect(repositoryFiles(root, ['app'])).toEqual([]);
  });
});
