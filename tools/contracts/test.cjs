// npm run tool -- contracts:test: all of forge's tests, then the gas of each strategy, measured in separate
// transactions.
const { readFileSync, readdirSync, rmSync } = require('node:fs');
const path = require('node:path');
const { forge } = require('./forge.cjs');
const { writeGenuine } = require('./genuine.cjs');
const { LOCAL } = require('./paths.cjs');

const SNAPSHOTS = path.join(LOCAL, 'snapshots');
/** The measuring tests. See `measure` of contracts/test/support/Test.sol. */
const MEASURING = '^test_(repay_debt|sell_collateral|flash_loan_unwind)';

function gasTable() {
  const rows = readdirSync(SNAPSHOTS)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(path.join(SNAPSHOTS, file), 'utf8'))).map(([name, gas]) => [
        `${path.basename(file, '.json')}, ${name}`,
        Number(gas),
      ]),
    );
  return rows.map(([name, gas]) => `${name.padEnd(36)} ${gas.toLocaleString('en').padStart(10)} gas`);
}

async function main(args) {
  if (args.includes('--help')) {
    console.log(
      'usage: npm run tool -- contracts:test [OPTIONS OF forge test]   (with options: no table of gas)',
    );
    return 0;
  }
  writeGenuine();
  const { status } = await forge(['test', ...args]);
  if (status !== 0 || args.length > 0) return status;
  rmSync(SNAPSHOTS, { recursive: true, force: true });
  const measured = await forge(['test', '--isolate', '--match-test', MEASURING], { capture: true });
  if (measured.status !== 0) {
    console.error(measured.output);
    return measured.status;
  }
  const table = gasTable();
  if (table.length === 0) {
    console.error('no gas was measured: the tests that measure are not called as test.cjs expects');
    return 1;
  }
  console.log(['Gas of a run, its 21,000 and its calldata included:', ...table].join('\n'));
  return 0;
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
