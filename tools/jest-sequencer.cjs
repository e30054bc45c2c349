// The order of test files. Slow files go first, so that no worker runs a long one alone at the end. Jest knows how slow a
// file is only from an earlier run, and a fresh clone has none.
const { default: Sequencer } = require('@jest/test-sequencer');
const path = require('node:path');
const { genuineSuites } = require('./genuine-suites.cjs');

const root = path.join(__dirname, '..');
const GENUINE = new Set(genuineSuites(root).map((suite) => path.join(root, suite)));

class SlowFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one.path) - rank(other.path));
  }
}

const EXECUTION = path.join(root, 'apps/execution/test');

/** Flows, crashes and the bus wait the longest, executions send the most transactions; unit tests take a second. */
function rank(file) {
  if (GENUINE.has(file) || file.startsWith(EXECUTION)) return 0;
  return file.endsWith('.e2e-spec.ts') ? 1 : 2;
}

module.exports = SlowFirst;
