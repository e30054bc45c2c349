// The order of test files. Slow files go first, so that no worker runs a long one alone at the end. Jest
// learns the duration of a file only from an earlier run, and a fresh clone has none.
const { default: Sequencer } = require('@jest/test-sequencer');
const path = require('node:path');
const { genuineSuites } = require('./genuine-suites.cjs');

const root = path.join(__dirname, '..');
const FLOWS = ['test/flows', 'test/attacks'].map((folder) => path.join(root, folder) + path.sep);
const SLOW = ['apps/execution/test', 'test/sdk', 'test/receipts'].map(
  (folder) => path.join(root, folder) + path.sep,
);
/** They use whole cores for minutes, so no two of them begin together. */
const COMPILING = new Set(
  ['test/generated-clients/generated-clients.e2e-spec.ts', 'test/sdk/readme.e2e-spec.ts'].map((file) =>
    path.join(root, file),
  ),
);
const WAITING = new Set(genuineSuites(root).map((suite) => path.join(root, suite)));

class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const flows = sorted.filter(({ path: file }) => FLOWS.some((folder) => file.startsWith(folder)));
    const units = sorted.filter(({ path: file }) => !/\.(e2e|genuine)-spec\.ts$/.test(file));
    const others = sorted.filter((test) => !flows.includes(test) && !units.includes(test));
    const waiting = others.filter((test) => !COMPILING.has(test.path));
    const parts = spread(flows, [...waiting.filter(isSlow), ...waiting.filter((test) => !isSlow(test))]);
    const compiling = others.filter((test) => COMPILING.has(test.path));
    return [...compiling.slice(0, 1), ...insertAtThird(parts, compiling.slice(1)), ...units];
  }
}

/**
 * Suites of crashes and the bus wait the longest, and executions send the most transactions. The SDK and
 * receipts take minutes in a single file.
 */
function isSlow({ path: file }) {
  return WAITING.has(file) || SLOW.some((folder) => file.startsWith(folder));
}

/** Spreads the flows and attacks evenly among the others: each starts ten services, too many for two at a time. */
function spread(flows, others) {
  const distance = Math.ceil(others.length / Math.max(flows.length, 1));
  const left = [...flows];
  const mixed = others.flatMap((test, at) => (at % distance === 0 ? [...left.splice(0, 1), test] : [test]));
  return [...mixed, ...left];
}

function insertAtThird(tests, inserted) {
  const at = Math.ceil(tests.length / 3);
  return [...tests.slice(0, at), ...inserted, ...tests.slice(at)];
}

module.exports = SlowFirst;
