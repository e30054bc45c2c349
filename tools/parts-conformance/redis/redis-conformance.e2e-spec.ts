import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runSuite } from '../run-suite';
import { redisSuite } from '.';

/** The embedded Redis is used in place of a genuine one, so nothing that our code could observe may differ. */
it('the embedded Redis gives what a genuine one gives in every check', async () => {
  const rows = await runSuite(redisSuite, {
    folder: mkdtempSync(path.join(os.tmpdir(), 'conformance-')),
    withGenuine: true,
    onProgress: () => undefined,
  });
  expect(rows.filter(({ verdict }) => verdict !== 'same')).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(80);
});
