// node tools/compile-venue.cjs: writes libs/devnet/src/venue/compiled.json, the bytecode that `npm start` deploys.
const { writeFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');

const { VENUE_INPUT } = require('../libs/devnet/src/venue/artifacts.ts');
const { compileSolidity, solidityHash } = require('../libs/devnet/src/solidity/compile.ts');

const { OracleVenue } = compileSolidity(VENUE_INPUT);
const file = path.join(root, 'libs/devnet/src/venue/compiled.json');
writeFileSync(file, `${JSON.stringify({ hash: solidityHash(VENUE_INPUT), artifacts: { OracleVenue } })}\n`);
console.log(`${path.relative(root, file)} is of OracleVenue`);
