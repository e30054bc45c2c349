import { Problem } from '@plimsoll/contracts';
import { createPool, migrate } from '@plimsoll/service-kit';
import { AccountKeys } from '../identity/keys/account-keys';
import { Accounts } from '../identity/accounts/accounts';
import { announceChange } from '../identity/changes/account-change-publisher';
import { ensureDemoKey } from '../identity/keys/demo-key';
import { Passwords } from '../identity/accounts/passwords';
import { PlanRequests } from '../identity/accounts/plan-requests';
import { createPrisma } from '../identity/database/prisma';
import { ensurePassword, resetByAdmin } from '../identity/accounts/set-password';
import { BY_ADMIN } from '../identity/audit/audit-entry';
import type { AdminConfig } from '../config';
import type { PrismaClient } from '../generated/prisma/client';
import { newSecretToken } from '../identity/sessions/sessions';
import { type IdentityKeysCommand, changeIdentityKeys } from './identity-keys';
import { listOperatorAlerts } from './operator-alerts';
import { createSecretKey } from './secret-keys';
import { type Command, HELP, operationsAddresses, parseCommand, UsageError } from './parse-command';

type DatabaseCommand = Exclude<
  Command,
  { name: 'help' | 'operator-alerts list' | 'secret-keys create' } | IdentityKeysCommand
>;

/** Result of a command: its output, and the account whose change the gateways must learn. */
interface Outcome {
  output: object;
  changedAccountId?: string;
}

export interface AdminIo {
  /** Read late, so that --help needs no configuration. */
  config(): AdminConfig;
  /** The folder of the identity keys. */
  identityKeys(): string;
  /** The key management of secret keys. Empty: none. */
  secretKeysKms(): string;
  /** The operations addresses of the services, separated by commas. Undefined if they are not configured. */
  operationsUrls(): string | undefined;
  migrations: string;
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs one admin command.
 * @returns the exit code (HELP)
 */
export async function runAdmin(words: readonly string[], io: AdminIo): Promise<number> {
  try {
    const command = parseCommand(words, new Date());
    if (command.name === 'help') io.out(HELP);
    else if (command.name === 'identity-keys create' || command.name === 'identity-keys rotate')
      io.out(`${JSON.stringify(changeIdentityKeys(command, io.identityKeys(), Date.now()), null, 2)}\n`);
    else if (command.name === 'secret-keys create')
      io.out(`${JSON.stringify(await createSecretKey(command, io.secretKeysKms()), null, 2)}\n`);
    else if (command.name === 'operator-alerts list') return await listAlerts(command.at, io);
    else await runOnDatabase(command, io);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      io.err(`${error.message} See: npm run admin -- --help`);
      return 2;
    }
    if (error instanceof Problem) {
      io.err(`${error.code}: ${error.detail}`);
      return 1;
    }
    throw error;
  }
}

/** @returns 1 if a service is unavailable, because its alerts are missing in the list then */
async function listAlerts(at: readonly string[] | undefined, io: AdminIo): Promise<number> {
  const configured = io.operationsUrls();
  const addresses = at ?? (configured ? operationsAddresses(configured, 'OPERATIONS_URLS') : []);
  if (addresses.length === 0) throw new UsageError('Give --at or OPERATIONS_URLS: which services?');
  const listed = await listOperatorAlerts(addresses);
  io.out(`${JSON.stringify(listed, null, 2)}\n`);
  return listed.unavailable.length === 0 ? 0 : 1;
}

async function runOnDatabase(command: DatabaseCommand, io: AdminIo): Promise<void> {
  const config = io.config();
  await migrate(config.DATABASE_URL, 'gateway', io.migrations);
  const pool = createPool(config.DATABASE_URL, 'gateway', (error) => io.err(error.message));
  const prisma = createPrisma(pool);
  try {
    const parts = { prisma, accounts: new Accounts(prisma), keys: new AccountKeys(prisma) };
    const { output: response, changedAccountId } = await execute(command, parts);
    if (changedAccountId) await announce(config, changedAccountId, io);
    io.out(`${JSON.stringify(response, null, 2)}\n`);
  } finally {
    await prisma.$disconnect();
    await pool.end();
  }
}

async function execute(
  command: DatabaseCommand,
  { prisma, accounts, keys }: { prisma: PrismaClient; accounts: Accounts; keys: AccountKeys },
): Promise<Outcome> {
  switch (command.name) {
    case 'accounts create':
      return { output: { account: await accounts.create(command.email, command.terms) } };
    case 'accounts set-tier': {
      const account = await accounts.change(command.account, command.terms);
      return { output: { account }, changedAccountId: account.id };
    }
    case 'accounts reset-password': {
      const account = await resetByAdmin(prisma, command.account, new Passwords(), newSecretToken);
      return { output: { account }, changedAccountId: account.id };
    }
    case 'plan-requests list': {
      const requests = await new PlanRequests(prisma).list();
      return { output: { requests, count: requests.length } };
    }
    case 'keys create': {
      const key = await keys.create(command.accountId, command.key, BY_ADMIN);
      return { output: { key }, changedAccountId: key.accountId };
    }
    case 'keys list': {
      const list = await keys.list(command.accountId);
      return { output: { keys: list, count: list.length } };
    }
    case 'keys revoke': {
      const key = await keys.revoke({ id: command.id }, BY_ADMIN);
      return { output: { key }, changedAccountId: key.accountId };
    }
    case 'keys rotate': {
      const { id, overlapHours } = command;
      const rotation = await keys.rotate({ id }, overlapHours, BY_ADMIN);
      return { output: rotation, changedAccountId: rotation.key.accountId };
    }
    case 'ensure-demo': {
      const { account, isChanged } = await accounts.ensure(command.email, command.terms);
      const { key, isChanged: isKeyChanged } = await ensureDemoKey(prisma, account.id, command.key);
      const isPasswordChanged =
        command.password !== undefined &&
        (await ensurePassword(prisma, account.id, new Passwords(), command.password));
      const changed = isChanged || isKeyChanged || isPasswordChanged;
      return { output: { account, key, changed }, ...(changed && { changedAccountId: account.id }) };
    }
  }
}

async function announce(config: AdminConfig, accountId: string, io: AdminIo): Promise<void> {
  try {
    await announceChange(config.REDIS_URL, config.REDIS_KEY_PREFIX, accountId);
  } catch (error) {
    io.err(
      `Done, but Redis is unavailable (${(error as Error).message}): gateways read the change within 5 s.`,
    );
  }
}
