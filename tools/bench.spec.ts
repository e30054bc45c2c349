import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plimsoll/local-parts';

const RUN = path.join(workspaceRoot(), 'bench/run.cjs');
const run = async (...words: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [RUN, ...words], { timeout: 60_000 })).stdout;

describe('npm run bench', () => {
  it('prints what a bench measures and its options, and does not run it', async () => {
    expect(await run('start', '--help')).toBe(
      'Usage: npm run bench -- start [--rounds N]\n\n' +
        '  seconds and memory of npm start: on a clean clone after npm ci, and warm; then CPU at rest\n',
    );
    expect(await run('validation', '-h')).toContain('Usage: npm run bench -- validation\n');
  });

  it('has a description for each bench', () => {
    const folder = path.dirname(RUN);
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of names) {
      const bench = require(path.join(folder, name, 'index.ts')) as { description?: string };
      expect(bench).toHaveProperty('description', expect.stringMatching(/^\S/));
    }
  });
});
