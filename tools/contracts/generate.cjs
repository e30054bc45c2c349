// node tools/contracts/generate.cjs: writes libs/executor/src/generated, the ABI and creation code of contracts/.
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { ROOT } = require('./paths.cjs');

if (process.argv.includes('--help')) {
  console.log('usage: node tools/contracts/generate.cjs   (writes libs/executor/src/generated)');
  process.exit(0);
}
process.chdir(ROOT);
process.env.SWC_NODE_PROJECT = path.join(ROOT, 'tsconfig.json');
require('@swc-node/register');

const { PACKAGES_FOLDER, compileSolidity } = require('../../libs/devnet/src/solidity/compile.ts');

/** The file of each deployed contract, by name. */
const EXECUTORS = {
  AaveV3Executor: 'contracts/src/aave/AaveV3Executor.sol',
  MorphoBlueExecutor: 'contracts/src/morpho/MorphoBlueExecutor.sol',
  CometExecutor: 'contracts/src/comet/CometExecutor.sol',
  CompoundV2Executor: 'contracts/src/compound/CompoundV2Executor.sol',
};
const DEVNET = { DevnetSwapPool: 'contracts/devnet/DevnetSwapPool.sol' };

// The same settings as in contracts/foundry.toml: the tests cover the deployed code.
const artifacts = compileSolidity({
  compiler: 'solc',
  folders: [ROOT, PACKAGES_FOLDER],
  entries: [...Object.values(EXECUTORS), ...Object.values(DEVNET)],
  settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' },
});

/** The functions, events and errors of all executors. Their constructors differ. */
function executorAbi() {
  const entries = Object.keys(EXECUTORS)
    .flatMap((name) => artifacts[name].abi)
    .filter(({ type }) => type !== 'constructor');
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}
const constructorsOf = (names) =>
  Object.fromEntries(
    names.map((name) => [name, artifacts[name].abi.filter(({ type }) => type === 'constructor')]),
  );
const codeOf = (names) => Object.fromEntries(names.map((name) => [name, artifacts[name].bytecode]));

const folder = path.join(ROOT, 'libs/executor/src/generated');
mkdirSync(folder, { recursive: true });
const constant = (name, value) => `export const ${name} = ${JSON.stringify(value)} as const;\n`;
const header = '// Written by tools/contracts/generate.cjs out of contracts/.\n';
writeFileSync(
  path.join(folder, 'executor.ts'),
  header +
    constant('executorAbi', executorAbi()) +
    constant('executorConstructors', constructorsOf(Object.keys(EXECUTORS))) +
    constant('executorCode', codeOf(Object.keys(EXECUTORS))),
);
writeFileSync(
  path.join(folder, 'devnet-swap-pool.ts'),
  header +
    constant('devnetSwapPoolAbi', artifacts.DevnetSwapPool.abi) +
    constant('devnetSwapPoolCode', artifacts.DevnetSwapPool.bytecode),
);
console.log(`${path.relative(ROOT, folder)} is of ${Object.keys({ ...EXECUTORS, ...DEVNET }).join(', ')}`);
