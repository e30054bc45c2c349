#!/usr/bin/env node
// npm run tool -- index-replay: the volatility component of market-data's risk index over recorded daily prices.
const path = require('node:path');

const root = path.join(__dirname, '..');
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');
const { runReplay } = require('../apps/market-data/src/replay/run-replay.ts');

try {
  process.exitCode = runReplay(process.argv.slice(2), { root, out: (text) => console.log(text) });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
