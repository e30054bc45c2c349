// node tools/compile-morpho.cjs: writes libs/devnet/src/morpho/compiled.json, the bytecode that `npm start` deploys.
const { writeFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');

const { MORPHO_INPUT } = require('../libs/devnet/src/morpho/artifacts.ts');
const { compileSolidity, solidityHash } = require('../libs/devnet/src/solidity/compile.ts');

const WANTED = ['Morpho', 'IrmMock', 'OracleMock', 'FeedOracle'];
const compiled = compileSolidity(MORPHO_INPUT);
const artifacts = Object.fromEntries(WANTED.map((name) => [name, compiled[name]]));
const file = path.join(root, 'libs/devnet/src/morpho/compiled.json');
writeFileSync(file, `${JSON.stringify({ hash: solidityHash(MORPHO_INPUT), artifacts })}\n`);
console.log(`${path.relative(root, file)} is of ${WANTED.join(', ')}`);
