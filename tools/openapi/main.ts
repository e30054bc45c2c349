import { readFileSync, writeFileSync } from 'node:fs';
import { buildEventsDocument, buildStreamsDocument } from '@plimsoll/asyncapi';
import { importDocumentedEndpoints } from '@plimsoll/testing';
import { format, resolveConfig } from 'prettier';
import { baselineOf } from './baseline';
import { incompatibilities } from './compatibility';
import type { Json } from './components';
import { buildOpenApiDocument } from './document';
import { twins, undescribed } from './quality';

const DOCUMENTS: Readonly<Record<string, (version: string) => object>> = {
  'docs/openapi.json': buildOpenApiDocument,
  'docs/asyncapi.json': buildStreamsDocument,
  'docs/asyncapi-events.json': buildEventsDocument,
};
const API = 'docs/openapi.json';
const FILES = Object.keys(DOCUMENTS).join(', ');
const HELP = `Usage: npm run openapi [-- --check]

Writes ${FILES}
from libs/access/src/endpoints.ts, libs/contracts, the controllers of the apps and libs/asyncapi.
  --check   writes nothing; fails when a file is not what would be written, when a property has no description, when a
            schema without a name occurs twice, or when a client of the last release could no longer work`;

/** `npm run openapi`, in the root of the repository. */
export async function main(args: readonly string[]): Promise<void> {
  if (args.some((arg) => arg !== '--check')) {
    console.error(HELP);
    process.exitCode = args.includes('--help') ? 0 : 1;
    return;
  }
  try {
    importDocumentedEndpoints('*');
  } catch (error) {
    const isUngenerated = error instanceof Error && /Cannot find module '.*\/generated\//.test(error.message);
    if (!isUngenerated) throw error;
    console.error('The apps need generated code: run `npm run tool -- generate` first.');
    process.exitCode = 1;
    return;
  }
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  for (const [file, build] of Object.entries(DOCUMENTS)) {
    const options = await resolveConfig(file);
    const text = await format(JSON.stringify(build(version)), { ...options, filepath: file });
    if (!args.includes('--check')) {
      writeFileSync(file, text);
      console.log(`${file} is written.`);
    } else if (readFileSync(file, 'utf8') !== text) {
      console.error(`${file} is not what the code says. Run \`npm run openapi\` and commit it.`);
      process.exitCode = 1;
    } else console.log(`${file} matches the code.`);
  }
  if (args.includes('--check')) check(buildOpenApiDocument(version));
}

/** Prints what is wrong with the document of the API, and fails then. */
function check(document: Json): void {
  const baseline = baselineOf(API);
  const faults = [
    ...undescribed(document).map((at) => `${at} has no description.`),
    ...twins(document).map((places) => `${places.join(', ')}: give this schema one name.`),
    ...(baseline ? incompatibilities(baseline.document, document) : []).map(
      (fault) => `${fault}. Clients of ${baseline?.commit} use it.`,
    ),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else if (baseline) console.log(`${API} is compatible with ${baseline.commit}.`);
  else console.log(`${API} is not compared: git has no earlier commit here.`);
}
