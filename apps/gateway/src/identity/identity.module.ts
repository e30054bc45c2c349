import { Module } from '@nestjs/common';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import { LimitsModule } from '../limits/limits.module';
import { AccountLimits } from './accounts/account-limits';
import { Accounts } from './accounts/accounts';
import { Credentials } from './accounts/credentials';
import { Devices } from './accounts/devices';
import { DeviceLogIn } from './accounts/device-log-in';
import { Housekeeping } from './accounts/housekeeping';
import { LogIn } from './accounts/log-in';
import { LogInDelays } from './accounts/log-in-delays';
import { MailTokens } from './accounts/mail-tokens';
import { PlanRequests } from './accounts/plan-requests';
import { Passwords } from './accounts/passwords';
import { SignUp } from './accounts/sign-up';
import { AccountDoor } from './api/account-door';
import { AuditController } from './api/audit.controller';
import { DeviceController } from './api/device.controller';
import { KeysController } from './api/keys.controller';
import { LocalMailsController } from './api/local-mails.controller';
import { PlanController } from './api/plan.controller';
import { PasswordController } from './api/password.controller';
import { SessionController } from './api/session.controller';
import { SessionGuard } from './api/session.guard';
import { SignUpController } from './api/sign-up.controller';
import { AuditLog } from './audit/audit-log';
import { ApiKeys } from './callers/api-keys';
import { KeyLookup } from './callers/key-lookup';
import { SessionCallers } from './callers/session-callers';
import { AccountChangePublisher } from './changes/account-change-publisher';
import { AccountChanges } from './changes/account-changes';
import { createPrisma } from './database/prisma';
import { Identity } from './identity';
import { AccountKeys } from './keys/account-keys';
import { KeyListing } from './keys/key-list';
import { Mailer } from './mail/mailer';
import { Sessions } from './sessions/sessions';

/** Accounts, sessions, keys, mail and the audit log. */
@Module({
  imports: [LimitsModule],
  controllers: [
    SignUpController,
    SessionController,
    PasswordController,
    KeysController,
    DeviceController,
    AuditController,
    PlanController,
    LocalMailsController,
  ],
  providers: [
    { provide: PrismaClient, inject: [Pool], useFactory: createPrisma },
    AccountChangePublisher,
    AccountChanges,
    AccountDoor,
    AccountKeys,
    AccountLimits,
    Accounts,
    ApiKeys,
    AuditLog,
    Credentials,
    DeviceLogIn,
    Devices,
    Housekeeping,
    Identity,
    KeyListing,
    KeyLookup,
    LogIn,
    LogInDelays,
    Mailer,
    MailTokens,
    Passwords,
    PlanRequests,
    SessionCallers,
    SessionGuard,
    Sessions,
    SignUp,
  ],
  // A module whose routes SessionGuard protects also needs what the guard uses.
  exports: [Identity, SessionGuard, Sessions, AccountLimits, LimitsModule, PrismaClient],
})
export class IdentityModule {}
