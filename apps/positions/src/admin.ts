import { finishCommand } from '@plimsoll/service-kit';
import { runReceiptKeys } from './admin/receipt-keys';
import { loadReceiptKeysConfig, loadReceiptRotationConfig } from './config';

void finishCommand(
  runReceiptKeys(process.argv.slice(2), {
    config: loadReceiptKeysConfig,
    rotation: loadReceiptRotationConfig,
    out: (text) => process.stdout.write(text),
    err: (text) => console.error(text),
  }),
);
