import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import { type Plugin, defineConfig } from 'vite';
import { licences } from '../../tools/bundled-licences.ts';

const COMPRESSED = /\.(js|css|html|svg|txt)$/;
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** Writes each file a second and third time, for clients that accept brotli or gzip. */
const precompressed: Plugin = {
  name: 'precompressed',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const files = Object.values(bundle).filter(({ fileName }) => COMPRESSED.test(fileName));
      for (const file of files) {
        const body = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        const [small, portable] = await Promise.all([brotli(body, options), zip(body, { level: 9 })]);
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: small });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: portable });
      }
    },
  },
};

const library = (file: string): string => path.join(import.meta.dirname, '../../libs', file);

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [tailwind(), licences as Plugin, precompressed],
  resolve: {
    alias: {
      '@plimsoll/sdk': library('sdk/src/index.ts'),
      '@plimsoll/risk-math': library('risk-math/src/index.ts'),
      '@plimsoll/protocols/math': library('protocols/src/math.ts'),
    },
  },
  build: {
    outDir: '../../dist/apps/portal',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the gateway permits no data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // The libraries are pure, so that a page has only the functions that it calls.
      treeshake: { moduleSideEffects: (id) => !/[\\/]libs[\\/](risk-math|protocols)[\\/]/.test(id) },
      onLog: (level, log, print) => {
        // "use client" of packages has a meaning on servers only.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log);
      },
    },
  },
});
