import { finishCommand, migrationsFolder } from '@plimsoll/service-kit';
import { runAdmin } from './admin/run-admin';
import {
  loadAdminConfig,
  loadIdentityKeysConfig,
  loadOperationsConfig,
  loadSecretKeysCommandConfig,
} from './config';

void finishCommand(
  runAdmin(process.argv.slice(2), {
    config: loadAdminConfig,
    identityKeys: () => loadIdentityKeysConfig().IDENTITY_KEYS_FOLDER,
    secretKeysKms: () => loadSecretKeysCommandConfig().SECRET_KEYS_KMS,
    operationsUrls: () => loadOperationsConfig().OPERATIONS_URLS || undefined,
    migrations: migrationsFolder(__dirname),
    out: (text) => process.stdout.write(text),
    err: (text) => console.error(text),
  }),
);
