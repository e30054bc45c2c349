#!/usr/bin/env node
// npm run tool -- prose:sample: loads the TypeScript of this folder without a build.
const path = require('node:path');

const root = path.join(__dirname, '../..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');
require('./sample.ts').main(process.argv.slice(2));
