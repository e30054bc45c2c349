#!/usr/bin/env node
// npm run tool -- completion: the completion scripts of the command line, in the shells themselves.
const { requirePrograms, runSuite } = require('./suite.cjs');

const HELP = `usage: npm run tool -- completion

Completes commands and options of the packed command line in bash, zsh and fish. Needs the three shells on the PATH, and parts
as npm test does.`;

const SHELLS = ['bash', 'zsh', 'fish'];

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}
requirePrograms(
  'completion',
  SHELLS.map((shell) => [shell, '--version']),
);
runSuite('test/cli/cli.e2e', { tests: 'completes commands', env: { COMPLETION_SHELLS: SHELLS.join(',') } });
