import { ConfigError, migrationsFolder } from '@plimsoll/service-kit';
import { runAdmin } from './admin/run-admin';
import { loadAdminConfig, loadIdentityKeysConfig, loadOperationsConfig } from './config';

const EXIT_CONFIG = 78;

runAdmin(process.argv.slice(2), {
  config: loadAdminConfig,
  identityKeys: () => loadIdentityKeysConfig().IDENTITY_KEYS_FOLDER,
  operationsUrls: () => loadOperationsConfig().OPERATIONS_URLS || undefined,
  migrations: migrationsFolder(__dirname),
  out: (text) => process.stdout.write(text),
  err: (text) => console.error(text),
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(error instanceof ConfigError ? error.message : `Failed: ${error.message}`);
    process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
  },
);
