import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'tsdown';

const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Writes the licences of the bundled packages beside the bundle. */
const licences = {
  name: 'licences',
  generateBundle(
    this: { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => string },
    _: unknown,
    bundle: Record<string, { type: string; moduleIds?: string[] }>,
  ): void {
    const modules = Object.values(bundle).flatMap(({ moduleIds }) => moduleIds ?? []);
    const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[1] ?? []));
    const texts = [...folders].sort().map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(path.join(folder, 'package.json'), 'utf8'),
      ) as Record<string, string>;
      const file = ['LICENSE', 'LICENSE.md', 'license', 'LICENSE.txt', 'LICENCE']
        .map((each) => path.join(folder, each))
        .find((each) => existsSync(each));
      return `${name} ${version} (${license})\n\n${file ? readFileSync(file, 'utf8') : ''}`;
    });
    this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source: texts.join(`\n${'-'.repeat(80)}\n\n`) });
  },
};

// Every package is in the bundle: npx installs one package, and starts without resolving others.
export default defineConfig({
  entry: ['src/bin.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: false,
  minify: { compress: true, mangle: false, codegen: true },
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  outDir: '../../dist/apps/cli',
  tsconfig: 'tsconfig.json',
  outExtensions: () => ({ js: '.mjs' }),
  plugins: [licences],
});
