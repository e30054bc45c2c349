#!/usr/bin/env node
// Runs the broker from its bundle, which is built here when a source is newer: it takes a second.
const { execFileSync } = require('node:child_process');
const { mkdirSync, readdirSync, renameSync, rmSync, statSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../..');
const folder = path.join(root, 'dist/libs/local-broker');
const bundle = path.join(folder, 'main.js');
const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isCurrent() {
  const sources = readdirSync(path.join(__dirname, 'src'), { recursive: true })
    .map((name) => path.join(__dirname, 'src', name))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
  return timeOf(bundle) > Math.max(...sources.map(timeOf));
}

/** In a folder of its own first: another process may do the same at the same time. */
function build() {
  const draft = `${folder}-${process.pid}`;
  const cli = path.join(path.dirname(require.resolve('@rspack/cli/package.json')), 'bin/rspack.js');
  const config = path.join(__dirname, 'rspack.config.cjs');
  execFileSync(process.execPath, [cli, 'build', '-c', config, '-o', draft], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 60_000,
  });
  mkdirSync(folder, { recursive: true });
  renameSync(path.join(draft, 'main.js'), bundle);
  rmSync(draft, { recursive: true, force: true });
}

if (!isCurrent()) build();
require(bundle)
  .main(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
    if (process.connected) process.disconnect();
  });
