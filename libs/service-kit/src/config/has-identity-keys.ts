import { ValidateBy } from 'class-validator';
import { privateFile, publicFile, readKeys } from '@plimsoll/access';

/** A folder with the public keys of all services and the private ones of the service of the configuration. */
export const HasIdentityKeys = (): PropertyDecorator =>
  ValidateBy({
    name: 'hasIdentityKeys',
    validator: {
      validate: (folder: unknown, args) => problemOf(folder, args?.object) === null,
      defaultMessage: (args) => problemOf(args?.value, args?.object) ?? '',
    },
  });

/** Returns what is wrong with the folder, or null. */
function problemOf(folder: unknown, config: object | undefined): string | null {
  if (typeof folder !== 'string' || folder === '')
    return 'must be the folder of the identity keys; create it with: npm run admin -- identity-keys create';
  const { service } = (config ?? {}).constructor as unknown as { service: string };
  try {
    readKeys(publicFile(folder), 'public');
    const own = readKeys(privateFile(folder, service), 'private');
    return own.length > 0 ? null : `has no private key of ${service}`;
  } catch (error) {
    return (error as Error).message;
  }
}
