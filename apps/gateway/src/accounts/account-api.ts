import { randomBytes } from 'node:crypto';
import type { Provider, Type } from '@nestjs/common';
import { Pool } from 'pg';
import { AuditLog } from '../audit/audit-log';
import { AuditController } from '../audit/audit.controller';
import { PrismaClient } from '../generated/prisma/client';
import { Mailer } from '../mail/mailer';
import { SessionGuard } from '../sessions/session.guard';
import { Sessions } from '../sessions/sessions';
import { UsageController } from '../usage/usage.controller';
import { AccountKeys } from './account-keys';
import { AccountLimits } from './account-limits';
import { Accounts } from './accounts';
import { Credentials } from './credentials';
import { Housekeeping } from './housekeeping';
import { KeyListing } from './key-list';
import { KeysController } from './keys.controller';
import { LogIn } from './log-in';
import { MailTokens } from './mail-tokens';
import { PasswordController } from './password.controller';
import { Passwords } from './passwords';
import { createPrisma } from './prisma';
import { SessionController } from './session.controller';
import { SignUpController } from './sign-up.controller';
import { SignUp } from './sign-up';

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
