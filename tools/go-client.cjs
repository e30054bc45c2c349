#!/usr/bin/env node
// npm run tool -- go-client: checks clients/go, and tests it against a platform of its own.
const { spawnSync } = require('node:child_process');
const { runSuite } = require('./suite.cjs');

const HELP = `usage: npm run tool -- go-client

Needs go (1.24 or later) on the PATH, and parts as npm test does. It starts a platform, then:
  format    gofmt and go vet over clients/go
  tests     go test: signatures, retries, and the client against the platform with faults in between
  snippets  builds and runs the Go snippets of clients/go/README.md`;

const MINOR = 24;

if (process.argv.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}
const { stdout } = spawnSync('go', ['version'], { encoding: 'utf8' });
const [found, minor = '0'] = /go1\.(\d+)\S*/.exec(stdout ?? '') ?? [];
if (Number(minor) < MINOR) {
  const state = found === undefined ? 'go is not on the PATH' : `${found} is on the PATH`;
  console.error(`${state}. Install Go 1.${MINOR} or later, then run npm run tool -- go-client again.`);
  process.exit(1);
}
runSuite('test/sdk/readme', { tests: 'the Go client', env: { SDK_LANGUAGES: 'go' } });
