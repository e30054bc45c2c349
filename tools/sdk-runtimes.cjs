#!/usr/bin/env node
// npm run tool -- sdk-runtimes: the packed SDK in runtimes other than Node, against a platform of its own.
const { runSuite } = require('./suite.cjs');

const HELP = `usage: npm run tool -- sdk-runtimes

Installs Deno, Bun, workerd and Chromium from npm in a temporary folder, with the lock file of test/sdk/runtimes, and starts a platform.
In each of them, the packed SDK lists positions with exact amounts, verifies a webhook and (but in workerd) a receipt, gets a typed error, and reads a
stream. A user then approves and denies device codes on the page of the gateway in Chromium. Needs parts as npm test does.`;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}
runSuite('test/sdk/readme', { tests: 'the SDK in other runtimes', env: { SDK_LANGUAGES: 'runtimes' } });
