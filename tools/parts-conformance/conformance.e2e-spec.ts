import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const DEADLINE_MS = 240_000;

jest.setTimeout(DEADLINE_MS + 10_000);

interface Row {
  verdict: string;
}

/**
 * Runs the command in a separate process, because Jest cannot load the ES modules of @platformatic/kafka.
 * `.ci/run` compares the embedded parts with the genuine ones.
 */
it.each(['kafka', 'redis'])('the embedded %s passes every conformance check', async (part) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(__dirname, 'bin.cjs'), '--part', part, '--embedded', '--json'],
    { timeout: DEADLINE_MS, maxBuffer: 16 * 1024 * 1024 },
  );
  const rows = JSON.parse(stdout) as Row[];
  expect(rows.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(80);
});
