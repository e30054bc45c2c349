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

/** Suites of the flows, crashes and the bus wait the longest; unit tests are done in a second. */
function rank(file) {
  if (GENUINE.has(file)) return 0;
  return file.endsWith('.e2e-spec.ts') ? 1 : 2;
}

module.exports = SlowFirst;
