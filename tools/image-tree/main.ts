import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ImageTree, MOST_PACKAGE_BYTES, imageApps, writeImageTree } from './image-tree';

const USAGE = `usage: npm run --silent image:tree -- [APP ...] [--out FOLDER] [--json]

  Writes the files of the images of these apps, or of all, without a container engine: FOLDER/APP/app and
  FOLDER/APP/node_modules. Run npm run build first.
  --out   default .local/images
  --json  prints the sizes as JSON`;

/** Writes the trees, and prints their sizes. */
export function main(args: string[]): void {
  const flag = { type: 'boolean' } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { out: { type: 'string', default: '.local/images' }, json: flag, help: flag },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const root = process.cwd();
  const apps = positionals.length > 0 ? positionals : imageApps(root);
  const trees = apps.map((app) => writeImageTree(root, app, path.resolve(values.out, app)));
  if (values.json) console.log(JSON.stringify({ out: values.out, trees }, null, 2));
  else for (const tree of trees) console.log(lineOf(tree));
  const large = trees.filter(({ packageBytes }) => packageBytes > MOST_PACKAGE_BYTES);
  for (const { app } of large)
    console.error(`The packages of ${app} take more than ${MOST_PACKAGE_BYTES / 1e6} MB. Remove some.`);
  if (large.length > 0) process.exitCode = 1;
  else if (!values.json)
    console.log(`Start one: node ${path.join(values.out, apps[0]!, 'app/main.js')} --check-config`);
}

const lineOf = ({ app, packages, packageBytes, appBytes }: ImageTree): string =>
  `${app.padEnd(18)} ${String(packages).padStart(4)} packages ${megabytes(packageBytes)} MB, app ${megabytes(appBytes)} MB`;

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1).padStart(6);
