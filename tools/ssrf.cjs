#!/usr/bin/env node
// npm run ssrf -- FILE: reports whether webhooks may reach the targets in FILE, with the code
// of webhook-delivery.
const path = require('node:path');

const root = path.join(__dirname, '..');
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');
require('@swc-node/register');
const { ssrfCommand } = require(path.join(root, 'apps/webhook-delivery/src/ssrf/ssrf-command.ts'));

ssrfCommand(process.argv.slice(2)).then(console.log, (error) => {
  console.error(`${error.message}\nRun npm run ssrf -- --help`);
  process.exitCode = 1;
});
