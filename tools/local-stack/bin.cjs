#!/usr/bin/env node
// npm start, stop, run status, run reset, run market: loads the TypeScript of this folder without a build.
const path = require('node:path');

const root = path.join(__dirname, '../..');
process.chdir(root);
// The launcher then needs a quarter less CPU to load. Old versions of Node do not have it.
if (process.argv[2] === 'start')
  require('node:module').enableCompileCache?.(path.join(root, '.local/cache/compiled'));
try {
  require('../typescript-hook.cjs');
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  console.error('The packages are not installed. Run `npm ci` first.');
  process.exit(1);
}
require('./main.ts').main(process.argv.slice(2));
