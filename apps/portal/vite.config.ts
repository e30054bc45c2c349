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

type Modules = Parameters<typeof licences.generateBundle>[1];
const inWorkers: Modules = {};

/** Workers are bundles of their own, made before the one of the pages. */
const workerModules: Plugin = {
  name: 'worker-modules',
  generateBundle(_, bundle) {
    Object.assign(inWorkers, bundle);
  },
};

const allLicences = {
  ...licences,
  generateBundle(options: unknown, bundle: Modules) {
    licences.generateBundle.call(this, options, { ...bundle, ...inWorkers });
  },
} as Plugin;

const library = (file: string): string => path.join(import.meta.dirname, '../../libs', file);

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [tailwind(), allLicences, precompressed],
  resolve: {
    alias: {
      '@plimsoll/sdk/verify': library('sdk/src/verify.ts'),
      '@plimsoll/sdk': library('sdk/src/index.ts'),
      '@plimsoll/receipts': library('receipts/src/index.ts'),
      '@plimsoll/risk-math': library('risk-math/src/index.ts'),
      '@plimsoll/protocols/math': library('protocols/src/math.ts'),
    },
  },
  // The gateway gives files of this name the policy of workers that reach nodes.
  worker: {
    format: 'es',
    plugins: () => [workerModules],
    rolldownOptions: { output: { entryFileNames: 'assets/node-[name]-[hash].js' } },
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
