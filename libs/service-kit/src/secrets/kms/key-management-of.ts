import { environment } from '../../config/environment';
import { kmsParts } from '../../config/kms-form';
import { AwsKms } from './aws-kms';
import type { KeyManagement } from './key-management';
import { LocalKeyFile } from './local-file';
import { VaultTransit } from './vault-transit';

/**
 * Returns the key management of a text in the form of KMS_FORM. Null for the empty text.
 * @param env the standard variables of AWS and Vault
 */
export function keyManagementOf(
  text: string,
  env: () => NodeJS.ProcessEnv = environment,
): KeyManagement | null {
  const { file, keyArn, mount, keyName } = kmsParts(text);
  if (file !== undefined) return new LocalKeyFile(file);
  if (keyArn !== undefined) return new AwsKms({ keyArn, environment: env });
  if (mount === undefined || keyName === undefined) return null;
  return new VaultTransit({ mount: new URL(mount), keyName, environment: env });
}
