// npm run tool -- contracts:build: compiles contracts/ with forge, prints the sizes, and writes the ABI and
// code of libs/executor.
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { forge } = require('./forge.cjs');

async function main(args) {
  if (args.includes('--help')) {
    console.log('usage: npm run tool -- contracts:build   (forge build, then libs/executor/src/generated)');
    return 0;
  }
  const { status } = await forge(['build', '--sizes', 'contracts/src']);
  if (status !== 0) return status;
  return spawnSync(process.execPath, [path.join(__dirname, 'generate.cjs')], { stdio: 'inherit' }).status;
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
