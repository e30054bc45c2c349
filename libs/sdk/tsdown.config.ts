import { defineConfig } from 'tsdown';
import { licences } from '../../tools/bundled-licences.ts';

export default defineConfig({
  entry: ['src/index.ts', 'src/verify.ts'],
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  minify: true,
  outDir: 'dist',
  tsconfig: 'tsconfig.json',
  plugins: [licences],
});
