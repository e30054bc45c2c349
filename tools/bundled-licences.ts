import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** A plugin of bundles that writes the licences of the bundled packages beside the bundle. */
export const licences = {
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
