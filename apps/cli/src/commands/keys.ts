import { List } from '@plimsoll/sdk';
import type { Command } from 'commander';
import { type AccountApi, type Schemas, withSession } from '../account/account-api';
import { type Context, collect, pageOf } from '../context';
import { printable, time } from '../output/text';
import { LIMIT, repeated, withContext } from './command';

const EMAIL = ['--email <address>', 'e-mail address of the account'] as const;

interface Credentials {
  email: string;
}

export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description(
      'API keys of the account. Each command reads the password from standard input or the terminal, and opens a session that ends with it.',
    );
  keys
    .command('list', { isDefault: true })
    .description('list the keys')
    .requiredOption(...EMAIL)
    .option(...LIMIT)
    .action(withContext(list));
  keys
    .command('create <name>')
    .description('create a key, which is shown this once')
    .requiredOption(...EMAIL)
    .option('--scope <scope>', 'a permission; may be repeated; default: all', repeated)
    .option('--expires-at <time>', 'when it stops working, such as 2027-01-01T00:00:00Z; default: never')
    .action(withContext(create));
  keys
    .command('revoke <id>')
    .description('revoke a key within a second, permanently')
    .requiredOption(...EMAIL)
    .action(withContext(revoke));
}

async function list(context: Context, { email, limit }: Credentials & { limit: number }): Promise<void> {
  const found = await withSession(context, email, (account) =>
    collect(listOf(account, pageOf(limit)), 'keys', limit),
  );
  context.show(found, () =>
    context.table(
      ['id', 'name', 'key', 'status', 'scopes', 'created', 'expires', 'last used'],
      found.keys.map(({ id, name, hint, status, scopes, createdAt, expiresAt, lastUsedAt }) => [
        id,
        name,
        `${hint}…`,
        status,
        scopes.join(', '),
        time(createdAt),
        expiresAt && time(expiresAt),
        lastUsedAt && time(lastUsedAt),
      ]),
      'There is no key. Run plimsoll keys create NAME.',
    ),
  );
}

const listOf = (account: AccountApi, limit: number): List<Schemas['KeyList'], Schemas['KeyItem']> =>
  new List(
    (cursor) =>
      account.send(
        'GET',
        `keys?limit=${limit}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      ),
    ({ keys }) => keys,
  );

async function create(
  context: Context,
  name: string,
  { email, scope, expiresAt }: Credentials & { scope?: string[]; expiresAt?: string },
): Promise<void> {
  const body = { name, ...(scope && { scopes: scope }), ...(expiresAt !== undefined && { expiresAt }) };
  const created = await withSession(context, email, (account) =>
    // Not repeated: a second attempt would create a second key.
    account.send<Schemas['CreatedKey']>('POST', 'keys', body, { maxRetries: 0 }),
  );
  context.show(created, () => created.key.key);
}

async function revoke(context: Context, id: string, { email }: Credentials): Promise<void> {
  await withSession(context, email, (account) => account.send('DELETE', `keys/${encodeURIComponent(id)}`));
  context.show({ revoked: id }, () => `${printable(id)} is revoked.`);
}
