#!/usr/bin/env node
// npm start, stop, run status, run reset, run market: loads the TypeScript of this folder as it is.
const path = require('node:path');

const root = path.join(__dirname, '../..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
try {
  require('@swc-node/register');
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  console.error('The packages are not installed. Run `npm ci` first.');
  process.exit(1);
}
require('./main.ts').main(process.argv.slice(2));
