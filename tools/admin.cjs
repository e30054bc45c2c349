// `npm run admin -- …`: the gateway's admin command line. DATABASE_URL, REDIS_URL and OPERATIONS_URLS default to
// those of the platform from `npm start`.
const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const command = path.join(root, 'dist/apps/gateway/admin.js');
if (!existsSync(command)) {
  console.error('The gateway is not built. Run: npm run build');
  process.exit(1);
}
const demo = path.join(root, '.local/demo.json');
const local = existsSync(demo) ? JSON.parse(readFileSync(demo, 'utf8')) : {};
const run = path.join(root, '.local/run.json');
const { entries = [] } = existsSync(run) ? JSON.parse(readFileSync(run, 'utf8')) : {};
const operations = new Set(entries.flatMap(({ operationsUrl }) => operationsUrl || []));
const env = {
  ...(operations.size > 0 && { OPERATIONS_URLS: [...operations].join(',') }),
  ...(local.databaseUrl && { DATABASE_URL: local.databaseUrl }),
  ...(local.redisUrl && { REDIS_URL: local.redisUrl }),
  ...process.env,
};
process.exit(
  spawnSync(process.execPath, [command, ...process.argv.slice(2)], { env, stdio: 'inherit' }).status ?? 1,
);
