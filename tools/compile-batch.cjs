// node tools/compile-batch.cjs: writes apps/execution/src/simulation/batch.json, the code that simulates a wallet.
const { writeFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');

const { compileBatch } = require('../apps/execution/test/compile-batch.ts');

const file = path.join(root, 'apps/execution/src/simulation/batch.json');
writeFileSync(file, `${JSON.stringify({ runtime: compileBatch() })}\n`);
console.log(`${path.relative(root, file)} is written`);
