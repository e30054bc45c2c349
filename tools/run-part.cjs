#!/usr/bin/env node
// Runs an embedded part from its bundle. It builds the bundle when a source is newer, which takes a second.
const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } = require('node:fs');
const path = require('node:path');

const HELP = `Usage: node tools/run-part.cjs PART [OPTIONS]

  PART      local-broker or local-redis; node tools/run-part.cjs PART --help lists its options`;

const [part = '', ...words] = process.argv.slice(2);
const root = path.join(__dirname, '..');
const sources = path.join(root, 'libs', part, 'src');
const folder = path.join(root, 'dist/libs', part);
const bundle = path.join(folder, 'main.js');
const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isCurrent() {
  const files = readdirSync(sources, { recursive: true })
    .map((name) => path.join(sources, name))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
  return timeOf(bundle) > Math.max(...files.map(timeOf));
}

/** Builds into a separate folder first, because another process may do the same in parallel. */
function build() {
  const draft = `${folder}-${process.pid}`;
  const cli = path.join(path.dirname(require.resolve('@rspack/cli/package.json')), 'bin/rspack.js');
  const config = path.join(root, 'rspack.part.config.cjs');
  execFileSync(process.execPath, [cli, 'build', '-c', config, '--env', `part=${part}`, '-o', draft], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 60_000,
  });
  mkdirSync(folder, { recursive: true });
  renameSync(path.join(draft, 'main.js'), bundle);
  rmSync(draft, { recursive: true, force: true });
}

if (!/^[a-z-]+$/.test(part) || !existsSync(path.join(sources, 'bin/main.ts'))) {
  console.log(HELP);
  process.exit(part === '--help' ? 0 : 2);
}
if (!isCurrent()) build();
require(bundle)
  .main(words)
  .then((code) => {
    process.exitCode = code;
    if (process.connected) process.disconnect();
  });
