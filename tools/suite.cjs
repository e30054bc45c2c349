// Commands that run one suite of npm test with programs that not every machine has.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

/**
 * Ends this process with the next step when a program is missing.
 * @param {string} tool name of the command, as in npm run tool -- NAME
 * @param {[program: string, versionFlag: string][]} programs
 */
function requirePrograms(tool, programs) {
  const missing = programs
    .filter(([program, versionFlag]) => spawnSync(program, [versionFlag]).status !== 0)
    .map(([program]) => program);
  if (missing.length === 0) return;
  console.error(
    `Not on the PATH: ${missing.join(', ')}. Install it, then run npm run tool -- ${tool} again.`,
  );
  process.exit(1);
}

/**
 * Runs the suites of a path and ends this process with their exit code.
 * @param {string} pattern of their paths
 * @param {{ tests?: string, env?: NodeJS.ProcessEnv }} options tests: pattern of their names; by default all of them
 */
function runSuite(pattern, { tests, env } = {}) {
  const names = tests === undefined ? [] : ['--testNamePattern', tests];
  const words = ['--selectProjects', 'parts', '--testPathPatterns', pattern, ...names, '--verbose'];
  const { status } = spawnSync(process.execPath, [path.join(__dirname, 'test.cjs'), ...words], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  process.exit(status ?? 1);
}

module.exports = { requirePrograms, runSuite };
