#!/usr/bin/env node
// npm run kafka-acls: see main.ts.
const path = require('node:path');
const root = path.join(__dirname, '../..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');
require('./main.ts').main(process.argv.slice(2));
