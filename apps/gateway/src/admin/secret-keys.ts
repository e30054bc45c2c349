import { randomBytes } from 'node:crypto';
import { keyManagementOf, purposeOf } from '@plimsoll/service-kit';
import type { Command } from './parse-command';

const KEY_BYTES = 32;

/**
 * Creates a key that encrypts secrets at rest.
 * @param kms in the form of SECRET_KEYS_KMS; empty: the entry has the key itself
 * @returns the entry for the variable
 */
export async function createSecretKey(
  { variable, id }: Extract<Command, { name: 'secret-keys create' }>,
  kms: string,
): Promise<object> {
  const key = randomBytes(KEY_BYTES);
  const management = keyManagementOf(kms);
  const value = management
    ? `kms:${await management.wrap(key, purposeOf(variable, id))}`
    : key.toString('base64');
  return { variable, entry: `${id}:${value}` };
}
