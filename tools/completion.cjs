#!/usr/bin/env node
// npm run tool -- completion: the completion scripts of the command line, in the shells themselves.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const HELP = `usage: npm run tool -- completion

Completes commands and options of the packed command line in bash, zsh and fish. Needs the three shells on the PATH, and parts
as npm test does.`;

const SHELLS = ['bash', 'zsh', 'fish'];

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}
const missing = SHELLS.filter((shell) => spawnSync(shell, ['--version']).status !== 0);
if (missing.length > 0) {
  console.error(
    `Not on the PATH: ${missing.join(', ')}. Install it, then run npm run tool -- completion again.`,
  );
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  [
    path.join(__dirname, 'test.cjs'),
    '--selectProjects',
    'parts',
    '--testPathPatterns',
    'test/cli/cli.e2e',
    '--testNamePattern',
    'completes commands',
    '--verbose',
  ],
  { stdio: 'inherit', env: { ...process.env, COMPLETION_SHELLS: SHELLS.join(',') } },
);
process.exit(status ?? 1);
