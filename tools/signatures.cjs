#!/usr/bin/env node
// npm run tool -- signatures: the snippets of docs/guides/receiving-webhooks.md, under their own interpreters, on real deliveries.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const HELP = `usage: npm run tool -- signatures

Runs the Node, Python and Go snippets of docs/guides/receiving-webhooks.md, and the stock standardwebhooks package, on the headers and
bodies of real deliveries of webhook-delivery. Needs python3 and go on the PATH, and parts as npm test does.`;

const INTERPRETERS = [
  ['python3', '--version'],
  ['go', 'version'],
];

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}
const missing = INTERPRETERS.filter(([name, flag]) => spawnSync(name, [flag]).status !== 0).map(
  ([name]) => name,
);
if (missing.length > 0) {
  console.error(
    `Not on the PATH: ${missing.join(', ')}. Install it, then run npm run tool -- signatures again.`,
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
    'test/signatures',
    '--verbose',
  ],
  { stdio: 'inherit', env: { ...process.env, SIGNATURE_LANGUAGES: 'js,python,go' } },
);
process.exit(status ?? 1);
