import { defineConfig } from 'tsdown';
import { licences } from '../../tools/bundled-licences.ts';

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
