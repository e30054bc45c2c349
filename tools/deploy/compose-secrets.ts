import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES, createKeys } from '@plimsoll/access';
import { WITH_SCHEMA, databaseRoles, roleOf } from './database-roles';

const DATABASE = 'plimsoll';
const ADMIN = 'plimsoll';
const key = (): string => randomBytes(32).toString('base64');
const password = (): string => randomBytes(24).toString('base64url');

/**
 * Writes the files of secrets that docker-compose.yml mounts. Files that exist stay as they are, because data are encrypted
 * with them.
 * @param rpcUrl the node of the chain; written when it is given
 * @returns the names of the files that it wrote
 */
export function writeComposeSecrets(folder: string, rpcUrl?: string): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const written: string[] = [];
  const put = (name: string, make: () => string, mode = 0o600): string => {
    const file = path.join(folder, name);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    const content = make();
    writeFileSync(file, content, { mode });
    written.push(name);
    return content;
  };
  // The user of the Postgres image reads this one. The folder is closed to other users.
  const admin = put('postgres-password', password, 0o644);
  put('pgpass', () => `postgres:5432:${DATABASE}:${ADMIN}:${admin}\n`);
  put('database-url', () => `postgresql://${ADMIN}:${admin}@127.0.0.1:5432/${DATABASE}`);
  const passwords = new Map(
    WITH_SCHEMA.map(({ name, schema }) => {
      const url = put(
        `database-url-${name}`,
        () => `postgresql://${roleOf(schema)}:${password()}@postgres:5432/${DATABASE}`,
      );
      return [name as string, decodeURIComponent(new URL(url).password)];
    }),
  );
  put('database-roles.sql', () =>
    databaseRoles({ database: DATABASE, prefix: roleOf(''), passwordOf: (name) => passwords.get(name)! }),
  );
  put('webhook-secret-keys', () => `first:${key()}`);
  put('receipt-secret-keys', () => `first:${key()}`);
  put('sandbox-secret', key);
  if (rpcUrl !== undefined) put('rpc-url-1', () => rpcUrl);
  const identities = createKeys(path.join(folder, 'identity'), SERVICES, Date.now());
  return [...written, ...identities.map((service) => `identity/${service}.private.json`)];
}
