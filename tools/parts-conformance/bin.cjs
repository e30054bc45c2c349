#!/usr/bin/env node
// npm run parts:conformance: loads the TypeScript of this folder without a build.
const path = require('node:path');

const root = path.join(__dirname, '../..');
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');
require('./main.ts')
  .main(process.argv.slice(2))
  .then((code) => process.exit(code));
