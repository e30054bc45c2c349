import { ConfigError } from '@plimsoll/service-kit';
import { runReceiptKeys } from './admin/receipt-keys';
import { loadReceiptKeysConfig, loadReceiptRotationConfig } from './config';

const EXIT_CONFIG = 78;

runReceiptKeys(process.argv.slice(2), {
  config: loadReceiptKeysConfig,
  rotation: loadReceiptRotationConfig,
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
