#!/usr/bin/env node
// npm run soak: watches memory and CPU of the local stack over hours.
const path = require('node:path');

process.chdir(path.join(__dirname, '../../..'));
require('../../typescript-hook.cjs');
require('./main.ts')
  .main(process.argv.slice(2))
  .then((status) => (process.exitCode = status));
