#!/usr/bin/env node
// npm run tool -- eval:ai [FILE], and `--record`: loads the TypeScript of this folder without a build.
const path = require('node:path');

const root = path.join(__dirname, '../..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');
const args = process.argv.slice(2);
const { main } = args[0] === '--record' ? require('./record.ts') : require('./main.ts');
main(args).then(
  (status) => process.exit(status),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
