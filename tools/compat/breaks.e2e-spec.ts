import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { createTestFolder, type TestFolder } from '@plimsoll/testing';
import { BREAKS, writeBreak } from './breaks';

const root = path.join(__dirname, '../..');

// `npm run compat -- --from VERSION --prove` runs the flow with them. This finds a place that the sources no longer have.
describe('incompatible changes of npm run compat', () => {
  let folder: TestFolder;
  beforeAll(async () => void (folder = await createTestFolder()));
  afterAll(() => folder.remove());

  it.each(BREAKS.map((each) => [each.name, each] as const))('%s: fits the builds', (_name, change) => {
    writeBreak(root, folder.path, change);
    const left: string[] = [];
    for (const { services, from } of change.edits)
      for (const service of services) {
        const bundles = path.join('dist/apps', service);
        // A thread of a service has a bundle of its own.
        for (const name of readdirSync(path.join(root, bundles)).filter((each) => each.endsWith('.js'))) {
          const before = readFileSync(path.join(root, bundles, name), 'utf8');
          const after = readFileSync(path.join(folder.path, bundles, name), 'utf8');
          expect(() => new Script(after)).not.toThrow();
          if (from.test(before) && after === before) left.push(`${service}/${name}`);
        }
      }
    expect(left).toEqual([]);
    const migration = path.join(folder.path, 'dist/apps', change.service, 'migrations/99991231000000_break');
    expect(existsSync(migration)).toBe(change.sql !== undefined);
  });
});
