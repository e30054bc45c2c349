import { createTestFolder } from '@plimsoll/testing';
import { runSuite } from './run-suite';
import { SUITES } from './suites';

jest.setTimeout(240_000);

/** That a genuine part gives the same is what `npm run parts:conformance` checks, in .ci/run. */
it.each(SUITES)('the embedded $part passes every conformance check', async (suite) => {
  const folder = await createTestFolder();
  const rows = await runSuite(suite, {
    folder: folder.path,
    withGenuine: false,
    onProgress: () => undefined,
  });
  await folder.remove();
  expect(rows.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(80);
});
