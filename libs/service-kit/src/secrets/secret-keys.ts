import { randomBytes } from 'node:crypto';
import { ValidateBy } from 'class-validator';
import { keyManagementOf } from './kms/key-management-of';
import type { KeyManagement } from './kms/key-management';
import { SecretBox, type SecretKeys } from './secret-box';

const PLAIN = /^[A-Za-z0-9+/]{43}=$/;
const WRAPPED = /^kms:([A-Za-z0-9+/=:]+)$/;
const ID = /^[\w-]+$/;
const FORM =
  'must be <id>:<base64 of 32 bytes>, several separated by commas; make one with: openssl rand -base64 32';

/** An invalid value of a variable with keys. The message follows the name of the variable and has no key. */
export class SecretKeysError extends Error {
  override readonly name = 'SecretKeysError';
}

interface Entry {
  id: string;
  /** The key itself. Undefined: it is wrapped. */
  key?: Buffer;
  wrapped?: string;
}

/** `<id>:<base64 of 32 bytes>` or `<id>:kms:<text>`, separated by commas. @throws SecretKeysError */
function entriesOf(text: string, isManaged: boolean): Entry[] {
  const entries = text.split(',').map((entry): Entry => {
    const at = entry.indexOf(':');
    const [id, value] = [entry.slice(0, at), entry.slice(at + 1)];
    if (!ID.test(id)) throw new SecretKeysError(FORM);
    if (PLAIN.test(value)) return { id, key: Buffer.from(value, 'base64') };
    const [, wrapped] = WRAPPED.exec(value) ?? [];
    if (wrapped === undefined) throw new SecretKeysError(FORM);
    return { id, wrapped };
  });
  const ids = new Set(entries.map(({ id }) => id));
  if (ids.size < entries.length) throw new SecretKeysError('must have each id once');
  if (!isManaged && entries.some(({ wrapped }) => wrapped !== undefined))
    throw new SecretKeysError('has keys with kms:, so SECRET_KEYS_KMS must be set');
  return entries;
}

/** Keys that encrypt secrets at rest, in a configuration with SECRET_KEYS_KMS. */
export function IsSecretKeys(): PropertyDecorator {
  const problemOf = (text: unknown, config: object | undefined): string | null => {
    const { SECRET_KEYS_KMS: kms = '' } = (config ?? {}) as { SECRET_KEYS_KMS?: string };
    try {
      entriesOf(String(text), kms !== '');
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return ValidateBy({
    name: 'isSecretKeys',
    validator: {
      validate: (value, args) => problemOf(value, args?.object) === null,
      defaultMessage: (args) => problemOf(args?.value, args?.object) ?? FORM,
    },
  });
}

/** The purpose of a wrapped key, so that it cannot be used as another one. */
export const purposeOf = (variable: string, id: string): string => `plimsoll:${variable}:${id}`;

/**
 * Returns the keys of a text, after the key management has unwrapped those that are wrapped.
 * @throws Error whose message follows the name of the variable, without key bytes
 */
export async function readSecretKeys(
  text: string,
  variable: string,
  kms: KeyManagement | null,
): Promise<SecretKeys> {
  const keys = new Map<string, Buffer>();
  for (const { id, key, wrapped = '' } of entriesOf(text, kms !== null)) {
    const bytes = key ?? (await unwrapped(kms, wrapped, variable, id));
    if (bytes.length !== 32) throw new SecretKeysError(`has a key '${id}' that is not 32 bytes`);
    keys.set(id, bytes);
  }
  return keys;
}

async function unwrapped(
  kms: KeyManagement | null,
  wrapped: string,
  variable: string,
  id: string,
): Promise<Buffer> {
  try {
    return await kms!.unwrap(wrapped, purposeOf(variable, id));
  } catch (cause) {
    throw new SecretKeysError(`has a key '${id}' that cannot be unwrapped: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/**
 * The box of a variable with keys.
 * @param kms in the form of SECRET_KEYS_KMS
 * @throws Error that names the variable
 */
export async function openSecretBox(keys: string, variable: string, kms = ''): Promise<SecretBox> {
  try {
    return new SecretBox(await readSecretKeys(keys, variable, keyManagementOf(kms)), variable, randomBytes);
  } catch (cause) {
    throw new Error(`${variable} ${(cause as Error).message}`, { cause });
  }
}
