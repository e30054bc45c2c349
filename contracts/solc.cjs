#!/usr/bin/env node
// The compiler that forge and slither call: npm's solc (WebAssembly), which is pinned in package.json, behind the two
// options of the native one that they use.
const solc = require('solc');

/** What the compiler adds to its version is not a version of semver: forge reads the first three numbers. */
const version = solc.version();

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`);
} else if (process.argv.includes('--standard-json')) {
  let input = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => (input += chunk));
  process.stdin.on('end', () => process.stdout.write(solc.compile(input)));
} else {
  process.stderr.write('solc.cjs answers --version and --standard-json only\n');
  process.exitCode = 1;
}
