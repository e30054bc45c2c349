#!/usr/bin/env node
// Runs the broker: the bundle where it is up to date, otherwise the TypeScript of this folder as it is.
const { readdirSync, statSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../..');
const bundle = path.join(root, 'dist/libs/local-broker/main.js');
const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = readdirSync(path.join(__dirname, 'src'), { recursive: true })
  .map((name) => path.join(__dirname, 'src', name))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
const isCurrent = timeOf(bundle) > Math.max(...sources.map(timeOf));
if (!isCurrent) {
  process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
  require('@swc-node/register');
}
require(isCurrent ? bundle : './src/bin/main.ts')
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
    if (process.connected) process.disconnect();
  });
