#!/usr/bin/env node
// node tools/run-main.cjs FILE [arguments]: calls main() of a TypeScript file, without a build, in the root folder.
const path = require('node:path');

const root = path.join(__dirname, '..');
process.chdir(root);
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');
const [file, ...args] = process.argv.slice(2);
require(path.join(root, file)).main(args);
