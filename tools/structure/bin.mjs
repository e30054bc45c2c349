#!/usr/bin/env node
// npm run tool -- structure: reads the imports with dependency-cruiser and loads the TypeScript of this folder.
import { createRequire } from 'node:module';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';

const require = createRequire(import.meta.url);
process.chdir(path.join(import.meta.dirname, '../..'));
require('../typescript-hook.cjs');

/** Also reads the imports of types. */
async function readImports() {
  const folders = ['apps', 'libs', 'tools', 'bench', 'test'];
  const { output } = await cruise(folders, {
    parser: 'swc',
    tsPreCompilationDeps: true,
    includeOnly: { path: `^(${folders.join('|')})/` },
    exclude: { path: '/generated/' },
  });
  return output.modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved, cycle }) => ({
      from: source,
      to: resolved,
      cycle: cycle?.map(({ name }) => name) ?? [],
    })),
  );
}

await require('./main.ts').main(process.argv.slice(2), readImports);
