#!/usr/bin/env node
// npm run tool -- signatures: the snippets of docs/guides/receiving-webhooks.md, under their own interpreters, on real deliveries.
const { requirePrograms, runSuite } = require('./suite.cjs');

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
requirePrograms('signatures', INTERPRETERS);
runSuite('test/signatures', { env: { SIGNATURE_LANGUAGES: 'js,python,go' } });
