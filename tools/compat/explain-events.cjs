// node tools/compat/explain-events.cjs RELEASE FIXTURES: why the event schemas of a release reject event fixtures, as JSON.
// A topic that the release does not have is left out, because none of its services reads it.
const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');

const [release, fixtures] = process.argv.slice(2).map((folder) => path.resolve(folder));
// Its own sources and packages.
process.chdir(release);
process.env.SWC_NODE_PROJECT = path.join(release, 'tsconfig.json');
require(require.resolve('@swc-node/register', { paths: [release] }));
const { EVENTS } = require(path.join(release, 'libs/contracts/src'));

const read = [];
const rejected = [];
for (const file of readdirSync(fixtures).sort()) {
  const definition = EVENTS[file.replace(/(\+.*)?\.json$/, '')];
  if (definition === undefined) continue;
  read.push(file);
  const reason = definition.explain(JSON.parse(readFileSync(path.join(fixtures, file), 'utf8')));
  if (reason !== '') rejected.push(`${file}: ${reason}`);
}
console.log(JSON.stringify({ read: read.length, rejected }));
