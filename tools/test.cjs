// npm test: generates and builds what the tests need, runs Jest over both projects, and ends with `N passed, N failed`.
const { spawnSync } = require('node:child_process');
const { mkdirSync, readFileSync, rmSync } = require('node:fs');
const path = require('node:path');

const HELP = `usage: npm test [-- <arguments of Jest>]

  npm test                                       everything; parts are started for it
  npm test -- --selectProjects unit              without parts
  npm test -- libs/chain --selectProjects parts  what matches a path
  npm test -- --again                            of CI: up to three files that failed are run once more, by themselves;
                                                 what failed is printed and named in any case

A part whose address is set is used as it is: TEST_DATABASE_URL, TEST_REDIS_URL, TEST_KAFKA_BROKERS.`;

/** More failures than this are no chance: nothing is run again. See docs/decisions/0018. */
const MOST_FILES_AGAIN = 3;

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
  const first = jest(args.filter((argument) => argument !== '--again'));
  const canRunAgain = first.failedFiles.length > 0 && first.failedFiles.length <= MOST_FILES_AGAIN;
  if (!args.includes('--again') || !canRunAgain) return finish(first.status, first);
  const files = first.failedFiles.map(({ name }) => name);
  console.error(`\nRun again by themselves: ${files.map(fromRoot).join(', ')}\n`);
  const second = jest(['--runInBand', '--runTestsByPath', ...files]);
  if (second.status === 0) {
    for (const { name, cases } of first.failedFiles) {
      console.log(`FAILED ONCE, passed when run again: ${fromRoot(name)}`);
      for (const each of cases) console.log(`  ● ${each}`);
    }
  }
  const passedInThem = first.failedFiles.reduce((sum, { passed }) => sum + passed, 0);
  finish(second.status, {
    passed: first.passed - passedInThem + second.passed,
    failed: second.failed,
  });
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

/** With --json Jest's own report goes to standard error, and the JSON of the file to standard output as well. */
function jest(args) {
  const options = ['-c', 'jest.config.cjs', '--json', `--outputFile=${resultFile}`, ...args];
  const status = run('jest/bin/jest', options, ['inherit', 'ignore', 'inherit']);
  return { status, ...readResults() };
}

/** A file that could not be run at all counts as one failure. */
function readResults() {
  try {
    const result = JSON.parse(readFileSync(resultFile, 'utf8'));
    const failedFiles = result.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, assertionResults }) => ({
        name,
        passed: assertionResults.filter(({ status }) => status === 'passed').length,
        cases: assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      }));
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
      failedFiles,
    };
  } catch {
    return { passed: 0, failed: 0, failedFiles: [] };
  } finally {
    rmSync(resultFile, { force: true });
  }
}

function fromRoot(file) {
  return path.relative(root, file);
}

function finish(status, { passed, failed }) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(status !== 0 || failed > 0 || passed === 0 ? status || 1 : 0);
}
