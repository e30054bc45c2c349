// `npm run admin -- …`: the admin command line of the gateway, and that of positions for receipt-keys. DATABASE_URL,
// REDIS_URL, OPERATIONS_URLS and RECEIPT_SECRET_KEYS default to those of the platform from `npm start`.
const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const app = process.argv[2] === 'receipt-keys' ? 'positions' : 'gateway';
const command = path.join(root, 'dist/apps', app, 'admin.js');
if (!existsSync(command)) {
  console.error(`${app} is not built. Run: npm run build`);
  process.exit(1);
}
const demo = path.join(root, '.local/demo.json');
const local = existsSync(demo) ? JSON.parse(readFileSync(demo, 'utf8')) : {};
const secrets = path.join(root, '.local/secrets.json');
const { receiptSecretKeys } = existsSync(secrets) ? JSON.parse(readFileSync(secrets, 'utf8')) : {};
const run = path.join(root, '.local/run.json');
const { entries = [] } = existsSync(run) ? JSON.parse(readFileSync(run, 'utf8')) : {};
const operations = new Set(entries.flatMap(({ operationsUrl }) => operationsUrl || []));
const env = {
  ...(operations.size > 0 && { OPERATIONS_URLS: [...operations].join(',') }),
  ...(local.databaseUrl && { DATABASE_URL: local.databaseUrl }),
  ...(receiptSecretKeys && { RECEIPT_SECRET_KEYS: receiptSecretKeys }),
  ...(local.redisUrl && { REDIS_URL: local.redisUrl }),
  ...process.env,
};
process.exit(
  spawnSync(process.execPath, [command, ...process.argv.slice(2)], { env, stdio: 'inherit' }).status ?? 1,
);
