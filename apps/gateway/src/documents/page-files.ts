import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ServedFile } from './served-file';

const TYPES: Readonly<Record<string, string>> = {
  'device.html': 'text/html; charset=utf-8',
  'device.js': 'text/javascript; charset=utf-8',
  'index.html': 'text/html; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
  'streams.css': 'text/css; charset=utf-8',
  'streams.html': 'text/html; charset=utf-8',
  'streams.js': 'text/javascript; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
};

const BUNDLED = path.join(__dirname, 'docs-page');
/**
 * When the gateway runs from source, the page's files and those of Swagger UI are still in two folders
 * (rspack.config.cjs).
 */
const SOURCES = [
  path.join(__dirname, '../../docs-page'),
  path.join(__dirname, '../../../../node_modules/swagger-ui-dist'),
];

/** Returns every file of the documentation pages by name. */
export function readPageFiles(): ReadonlyMap<string, ServedFile> {
  const folders = existsSync(BUNDLED) ? [BUNDLED] : SOURCES;
  return new Map(
    Object.entries(TYPES).map(([name, type]) => {
      const file = folders.map((folder) => path.join(folder, name)).find((each) => existsSync(each));
      if (!file) throw new Error(`${name} of the documentation page is missing. Build again: npm run build`);
      return [name, new ServedFile(type, readFileSync(file))];
    }),
  );
}
