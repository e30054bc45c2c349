// npm test: generates and builds the dependencies of the tests, runs Jest over both projects, and ends with
// `N passed, N failed`.
const { spawnSync } = require('node:child_process');
const { mkdirSync, readFileSync, rmSync } = require('node:fs');
const path = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { hasChromium } = require('./chromium.cjs');
const { genuineSuites } = require('./genuine-suites.cjs');

const HELP = `usage: npm test [-- <arguments of Jest>]

  npm test                                       everything, on embedded Kafka and Redis; parts are started for it
  npm test -- --selectProjects unit              without parts
  npm test -- libs/protocols --selectProjects parts  what matches a path
  npm test -- --genuine                          the suites that promise something about Kafka or Redis, on genuine Kafka
                                                 and redis-server; needs Java 17
  npm test -- --both                             the suites of --genuine on genuine parts, and all others on embedded
                                                 ones; for CI
  npm test -- --again                            for CI: up to six files that failed run once more, one by one; their
                                                 failures are printed in any case

LOCAL_PARTS=genuine npm test runs everything on genuine parts.
A part whose address is set is not started: TEST_DATABASE_URL, TEST_REDIS_URL, TEST_KAFKA_BROKERS.`;

/**
 * More failed files are not a coincidence, so none runs again. See
 * docs/decisions/0018-tests-that-fail-once.md.
 */
const MOST_FILES_AGAIN = 6;

const MOST_LINES_OF_FAILURE = 20;
const SLOWEST_FILES = 15;

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
  // Tests start services hundreds of times.
  process.env.TEST_SERVICES = 'built';
  process.env.NODE_COMPILE_CACHE ??= path.join(root, '.local', 'cache', 'tests');
  if (!args.some((each) => each.includes('test/portal')) && !hasChromium()) {
    console.error('test/portal: NOT RUN, because this machine has no Chrome');
    process.env.PORTAL_TESTS = 'none';
  }
  const { own, rest } = splitArguments(args);
  if (!own.has('--both')) {
    const result = testOn(own.has('--genuine') ? 'genuine' : undefined, rest, own);
    printFailures(result.failedFiles);
    return finish(result.status, result);
  }
  process.env.GENUINE_SUITES = 'apart';
  const embedded = testOn('embedded', rest, own);
  delete process.env.GENUINE_SUITES;
  const genuine = testOn('genuine', rest, own);
  printFailures([...embedded.failedFiles, ...genuine.failedFiles]);
  console.log(`embedded parts: ${embedded.passed} passed, ${embedded.failed} failed`);
  console.log(`genuine parts: ${genuine.passed} passed, ${genuine.failed} failed`);
  finish(embedded.status || genuine.status, {
    passed: embedded.passed + genuine.passed,
    failed: embedded.failed + genuine.failed,
    isEmpty: embedded.passed === 0 || genuine.passed === 0,
  });
}

/** Separates the arguments of this script from those of Jest. */
function splitArguments(args) {
  const isOwn = (argument) => ['--again', '--both', '--genuine'].includes(argument);
  return { own: new Set(args.filter(isOwn)), rest: args.filter((argument) => !isOwn(argument)) };
}

/**
 * Runs Jest once, and again for a few failed files with --again.
 * @param parts value of LOCAL_PARTS; undefined keeps the environment's
 */
function testOn(parts, args, own) {
  if (parts !== undefined) process.env.LOCAL_PARTS = parts;
  const isGenuineRun = parts === 'genuine';
  const suites = isGenuineRun ? ['--selectProjects=parts', '--runTestsByPath', ...genuineSuites(root)] : [];
  const first = jest([...args, ...suites]);
  if (process.env.CI) printSlowest(first.durations);
  const canRunAgain = first.failedFiles.length > 0 && first.failedFiles.length <= MOST_FILES_AGAIN;
  if (!own.has('--again') || !canRunAgain) return first;
  const files = first.failedFiles.map(({ name }) => name);
  console.error(`\nRun again, one by one: ${files.map(fromRoot).join(', ')}\n`);
  // A suite that fails may leave a server open, which would keep this one process alive.
  const second = jest(['--runInBand', '--forceExit', '--runTestsByPath', ...files]);
  const failedTwice = new Set(second.failedFiles.map(({ name }) => name));
  for (const { name, cases } of first.failedFiles) {
    if (failedTwice.has(name)) continue;
    console.log(`FAILED ONCE, passed when run again: ${fromRoot(name)}`);
    for (const each of cases) console.log(`  ● ${each.name}`);
  }
  const passedInThem = first.failedFiles.reduce((sum, { passed }) => sum + passed, 0);
  return {
    status: second.status,
    passed: first.passed - passedInThem + second.passed,
    failed: second.failed,
    failedFiles: second.failedFiles,
  };
}

/** Shows where the time of a run goes. */
function printSlowest(files) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES);
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`The slowest of ${files.length} files, which took ${total} s one after the other:`);
  for (const { name, seconds } of slowest) console.log(`${String(seconds).padStart(5)} s  ${fromRoot(name)}`);
}

/** Repeats what failed at the end of the log, because a reader may have only its last part. */
function printFailures(failedFiles) {
  for (const { name, message, cases } of failedFiles) {
    console.log(`FAILED: ${fromRoot(name)}`);
    if (cases.length === 0) console.log(firstLines(message));
    for (const each of cases) console.log(`  ● ${each.name}\n${firstLines(each.message)}`);
  }
}

/** The start of a failure message without the frames of libraries. */
function firstLines(message) {
  const lines = stripVTControlCharacters(message).split('\n');
  const own = lines.filter((line) => !line.includes('node_modules'));
  return own
    .slice(0, MOST_LINES_OF_FAILURE)
    .map((line) => `    ${line}`)
    .join('\n');
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

/** With --json Jest prints its report on standard error, and the JSON on standard output as well. */
function jest(args) {
  const options = ['-c', 'jest.config.cjs', '--json', `--outputFile=${resultFile}`, ...args];
  const status = run('jest/bin/jest', options, ['inherit', 'ignore', 'inherit']);
  return { status, ...readResults() };
}

/** A file that Jest could not run counts as one failure. */
function readResults() {
  try {
    const result = JSON.parse(readFileSync(resultFile, 'utf8'));
    const failedFiles = result.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, assertionResults, message }) => ({
        name,
        message,
        passed: assertionResults.filter(({ status }) => status === 'passed').length,
        cases: assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => ({ name: fullName, message: failureMessages.join('\n') })),
      }));
    const durations = result.testResults.map(({ name, startTime, endTime }) => ({
      name,
      seconds: Math.round((endTime - startTime) / 1000),
    }));
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
      failedFiles,
      durations,
    };
  } catch {
    return { passed: 0, failed: 0, failedFiles: [], durations: [] };
  } finally {
    rmSync(resultFile, { force: true });
  }
}

function fromRoot(file) {
  return path.relative(root, file);
}

function finish(status, { passed, failed, isEmpty = passed === 0 }) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(status !== 0 || failed > 0 || isEmpty ? status || 1 : 0);
}
