// node tools/compat/explain-events.cjs CHECKOUT FIXTURES: why the event schemas of a checkout reject event fixtures, as JSON.
// A topic that the checkout does not have is left out, because none of its services reads it.
const { readFileSync, readdirSync } = require('node:fs');
const path = require('node:path');

const [checkout, fixtures] = process.argv.slice(2).map((folder) => path.resolve(folder));
// Its own sources and packages.
process.chdir(checkout);
process.env.SWC_NODE_PROJECT = path.join(checkout, 'tsconfig.json');
require(require.resolve('@swc-node/register', { paths: [checkout] }));
const { EVENTS } = require(path.join(checkout, 'libs/contracts/src'));

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
