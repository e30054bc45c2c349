#!/usr/bin/env node
// npm run tool -- generated-clients: generates clients from docs/openapi.json and calls a platform with them.
const { requirePrograms, runSuite } = require('./suite.cjs');

const PROGRAMS = {
  typescript: [['npm', '--version']],
  python: [['python3', '--version']],
  go: [['go', 'version']],
  java: [
    ['java', '--version'],
    ['mvn', '--version'],
  ],
};
const HELP = `usage: npm run tool -- generated-clients [LANGUAGE]...

Languages: ${Object.keys(PROGRAMS).join(', ')}; by default all. It generates a client of docs/openapi.json with a
generator from the package registry of the language, builds it with strict settings, and makes ten calls to a platform
of its own. docs/api/generated-clients.md names generators and settings.`;

const words = process.argv.slice(2);
if (words.includes('--help')) {
  console.log(HELP);
  process.exit(0);
}
const unknown = words.filter((word) => !Object.hasOwn(PROGRAMS, word));
if (unknown.length > 0) {
  console.error(`There is no language ${unknown.join(', ')}.\n\n${HELP}`);
  process.exit(2);
}
const languages = words.length > 0 ? words : Object.keys(PROGRAMS);
requirePrograms(
  'generated-clients',
  languages.flatMap((language) => PROGRAMS[language]),
);
runSuite('test/generated-clients', { env: { GENERATED_CLIENTS: languages.join(',') } });
