// nx run <project>:typecheck: checks the types of one project. npm run typecheck checks the whole repository.
const { spawnSync } = require('node:child_process');
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const [project] = process.argv.slice(2);
if (!project || project === '--help') {
  console.log('usage: node tools/nx/typecheck.cjs FOLDER, for example apps/alerts');
  process.exit(project ? 0 : 2);
}
const root = path.join(__dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/tsc');
const name = project.replaceAll('/', '-');
const config = path.join(cache, `${name}.json`);
mkdirSync(cache, { recursive: true });
writeFileSync(
  config,
  JSON.stringify({
    extends: path.join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      incremental: true,
      tsBuildInfoFile: path.join(cache, `${name}.tsbuildinfo`),
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    include: [path.join(root, project)],
  }),
);
const { status } = spawnSync(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', config], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
