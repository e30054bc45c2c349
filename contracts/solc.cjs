#!/usr/bin/env node
// The compiler that forge and slither call: npm's solc (WebAssembly), which is pinned in package.json, behind
// the two options of the native one that they use.

if (process.argv.includes('--version')) {
  // The compiler itself reports its version, but it is 8 MB to load, and forge reads the version before every
  // command.
  const { version } = require('solc/package.json');
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`);
} else if (process.argv.includes('--standard-json')) {
  const solc = require('solc');
  let input = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => (input += chunk));
  process.stdin.on('end', () => process.stdout.write(solc.compile(input)));
} else {
  process.stderr.write('solc.cjs answers --version and --standard-json only\n');
  process.exitCode = 1;
}
