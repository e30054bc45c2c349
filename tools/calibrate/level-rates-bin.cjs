#!/usr/bin/env node
// npm run tool -- level-rates: loads the TypeScript of this folder without a build.
const path = require('node:path');

const root = path.join(__dirname, '../..');
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');
require('./level-rates-main.ts').main(process.argv.slice(2));
