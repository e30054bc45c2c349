import { randomBytes } from 'node:crypto';
import type { Provider, Type } from '@nestjs/common';
import { Pool } from 'pg';
import { AuditLog } from './audit/audit-log';
import { AuditController } from './api/audit.controller';
import { PrismaClient } from '../generated/prisma/client';
import { Mailer } from './mail/mailer';
import { SessionGuard } from './api/session.guard';
import { Sessions } from './sessions/sessions';
import { UsageController } from '../usage/usage.controller';
import { AccountKeys } from './keys/account-keys';
import { AccountLimits } from './accounts/account-limits';
import { Accounts } from './accounts/accounts';
import { Credentials } from './accounts/credentials';
import { Housekeeping } from './accounts/housekeeping';
import { KeyListing } from './keys/key-list';
import { KeysController } from './api/keys.controller';
import { LogIn } from './accounts/log-in';
import { MailTokens } from './accounts/mail-tokens';
import { PasswordController } from './api/password.controller';
import { Passwords } from './accounts/passwords';
import { createPrisma } from './database/prisma';
import { SessionController } from './api/session.controller';
import { SignUpController } from './api/sign-up.controller';
import { SignUp } from './accounts/sign-up';

/** Routes of /account/v1. */
export const ACCOUNT_CONTROLLERS: Type[] = [
  SignUpController,
  SessionController,
  PasswordController,
  KeysController,
  UsageController,
  AuditController,
];

/** Providers of those routes. The command line creates some of them itself, so they have factories. */
export const ACCOUNT_PROVIDERS: Provider[] = [
  { provide: PrismaClient, inject: [Pool], useFactory: createPrisma },
  { provide: Accounts, inject: [Pool], useFactory: (pool: Pool) => new Accounts(pool) },
  {
    provide: AccountKeys,
    inject: [PrismaClient],
    useFactory: (prisma: PrismaClient) => new AccountKeys(prisma, randomBytes),
  },
  AccountLimits,
  AuditLog,
  Credentials,
  Housekeeping,
  KeyListing,
  LogIn,
  Mailer,
  MailTokens,
  Passwords,
  SessionGuard,
  Sessions,
  SignUp,
];
