// Writes apps/<app>/src/generated (the Prisma client) from apps/<app>/prisma/schema.prisma. The command line
// requires a schema engine, although `generate` never runs it. Any executable satisfies it, so nothing is
// downloaded.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');

const [projectRoot] = process.argv.slice(2);
if (!projectRoot || projectRoot === '--help') {
  console.log('usage: node tools/prisma-generate.cjs apps/<app>');
  process.exit(projectRoot ? 0 : 2);
}
const root = path.join(__dirname, '..');
const schema = path.join(root, projectRoot, 'prisma/schema.prisma');
if (!existsSync(schema)) process.exit(0);
const result = spawnSync(
  process.execPath,
  [require.resolve('prisma/build/index.js'), 'generate', '--schema', schema],
  {
    cwd: root,
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
    encoding: 'utf8',
    timeout: 120_000,
  },
);
if (result.status !== 0) {
  console.error(`prisma generate failed for ${schema}:\n${result.stdout}${result.stderr}`);
  process.exit(1);
}
console.log(`generated ${projectRoot}/src/generated`);
