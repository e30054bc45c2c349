#!/usr/bin/env node
// npm run bench -- NAME [options]: loads bench/NAME/index.ts, which exports `description` and `run(args)`. A description
// ends with the options, each in brackets.
// The result is JSON on standard output. Progress goes to standard error. A result with `passed: false` exits
// with 1.
const { existsSync, readdirSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
process.chdir(root);
// Figures are about the parts of production: genuine Kafka and redis-server.
process.env.LOCAL_PARTS ??= 'genuine';
process.env.SWC_NODE_PROJECT = path.join(root, 'tsconfig.json');

const names = readdirSync(__dirname).filter((name) => existsSync(path.join(__dirname, name, 'index.ts')));
const [name = '--help', ...args] = process.argv.slice(2);
require('@swc-node/register');

if (names.includes(name) && args.some((word) => word === '--help' || word === '-h')) {
  const { description } = require(path.join(__dirname, name, 'index.ts'));
  const [says, ...options] = description.split(' [');
  console.log([`Usage: npm run bench -- ${name}`, ...options].join(' ['));
  console.log(`\n  ${says}`);
} else if (names.includes(name)) {
  require(path.join(__dirname, name, 'index.ts'))
    .run(args)
    .then(
      (result) => {
        console.log(JSON.stringify(result, null, 2));
        process.exit(result.passed === false ? 1 : 0);
      },
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
} else {
  console.error('Usage: npm run bench -- NAME [options]\n');
  for (const each of names)
    console.error(`  ${each.padEnd(10)} ${require(path.join(__dirname, each, 'index.ts')).description}`);
  if (name !== '--help') {
    console.error(`\nThere is no bench named ${name}.`);
    process.exitCode = 1;
  }
}
