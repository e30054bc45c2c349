#!/usr/bin/env node
// Runs the broker: the bundle where it was built, otherwise the TypeScript of this folder as it is.
const { existsSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../..');
const bundle = path.join(root, 'dist/libs/local-broker/main.js');
if (!existsSync(bundle)) {
  process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
  require('@swc-node/register');
}
require(existsSync(bundle) ? bundle : './src/bin/main.ts')
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
    process.disconnect?.();
  });
