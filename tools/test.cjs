// npm test: generates and builds what the tests need, runs Jest over both projects, and ends with `N passed, N failed`.
const { spawnSync } = require('node:child_process');
const { mkdirSync, readFileSync, rmSync } = require('node:fs');
const path = require('node:path');

const HELP = `usage: npm test [-- <arguments of Jest>]

  npm test                                       everything; parts are started for it
  npm test -- --selectProjects unit              without parts
  npm test -- libs/chain --selectProjects parts what matches a path

A part whose address is set is used as it is: TEST_DATABASE_URL, TEST_REDIS_URL, TEST_KAFKA_BROKERS.`;

const root = path.join(__dirname, '..');
const resultFile = path.join(root, '.local', `test-results-${process.pid}.json`);

main(process.argv.slice(2));

function main(args) {
  if (args.includes('--help')) {
    console.log(HELP);
    return;
  }
  mkdirSync(path.dirname(resultFile), { recursive: true });
  const isBuilt = ['generate', 'build'].every(
    (target) => run('nx/bin/nx.js', ['run-many', '-t', target]) === 0,
  );
  if (!isBuilt) return finish(1, { passed: 0, failed: 0 });
  const jest = ['-c', 'jest.config.cjs', '--json', `--outputFile=${resultFile}`, ...args];
  // With --json Jest's own report goes to standard error, and the JSON of the file to standard output as well.
  const status = run('jest/bin/jest', jest, ['inherit', 'ignore', 'inherit']);
  finish(status, readTotals());
}

function run(script, args, stdio = 'inherit') {
  const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
  const { status } = spawnSync(process.execPath, [require.resolve(script), ...args], {
    cwd: root,
    stdio,
    env,
  });
  return status ?? 1;
}

/** A file that could not be run at all counts as one failure. */
function readTotals() {
  try {
    const result = JSON.parse(readFileSync(resultFile, 'utf8'));
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    };
  } catch {
    return { passed: 0, failed: 0 };
  } finally {
    rmSync(resultFile, { force: true });
  }
}

function finish(status, { passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(status !== 0 || failed > 0 || passed === 0 ? status || 1 : 0);
}
