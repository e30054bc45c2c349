import { existsSync, readFileSync } from 'node:fs';
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
    const services = change.edits.flatMap((edit) => edit.services);
    for (const service of new Set(services)) {
      const file = path.join(folder.path, 'dist/apps', service, 'main.js');
      expect(() => new Script(readFileSync(file, 'utf8'))).not.toThrow();
    }
    const migration = path.join(folder.path, 'dist/apps', change.service, 'migrations/99991231000000_break');
    expect(existsSync(migration)).toBe(change.sql !== undefined);
  });
});
