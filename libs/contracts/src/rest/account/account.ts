import { Transform } from 'class-transformer';
import { IsBoolean, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { TIERS, type Tier } from '../../tiers';
import { ACCOUNT_ID, Example, Field, Optional, SESSION_ID, TIMESTAMP } from '../fields';

const ADA = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
const TOKEN = 'Zm9yIHRoZSBleGFtcGxlIG9ubHksIG5vdCBhIGtleSE';

const PASSWORD_MIN = 12;

const PASSWORD_MAX = 128;

/** A dot-atom (RFC 5322) at a host name with a dot: an address that needs no quoting. */
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+$`);

/** An e-mail address in lower case. An address has one account. */
class EmailField {
  @JSONSchema({ description: 'E-mail address. Upper and lower case are equal.' })
  @Transform(({ value }) => (typeof value === 'string' ? value.toLowerCase() : (value as unknown)))
  @Matches(EMAIL, { message: 'email must be an e-mail address such as ada@example.com' })
  @MaxLength(254)
  email!: string;
}

/** Body of POST /account/v1/sign-up. */
@Example({ email: ADA, password: PASSWORD })
export class SignUpBody extends EmailField {
  @JSONSchema({ description: 'Any characters. Only the length is checked.' })
  @IsString()
  @MinLength(PASSWORD_MIN)
  @MaxLength(PASSWORD_MAX)
  password!: string;
}

/** Body of POST /account/v1/log-in. */
@Example({ email: ADA, password: PASSWORD })
export class LogInBody extends EmailField {
  @JSONSchema({ description: 'The password of the account.' })
  @IsString()
  @MinLength(1)
  @MaxLength(PASSWORD_MAX)
  password!: string;
}

/** Body of requests that send a mail: POST /account/v1/email-check/send and /account/v1/password/forgot. */
@Example({ email: ADA })
export class EmailBody extends EmailField {}

/** Body of POST /account/v1/email-check/confirm. */
@Example({ token: TOKEN })
export class TokenBody {
  @JSONSchema({ description: 'The code from the mail. It works once.' })
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: 'token must be the 43 characters of the mail' })
  token!: string;
}

/** Body of POST /account/v1/password/reset. */
@Example({ token: TOKEN, password: PASSWORD, keepKeys: false })
export class ResetPasswordBody extends TokenBody {
  @JSONSchema({ description: 'The new password. Any characters. Only the length is checked.' })
  @IsString()
  @MinLength(PASSWORD_MIN)
  @MaxLength(PASSWORD_MAX)
  password!: string;

  @JSONSchema({ description: 'True: API keys continue to work. By default all are revoked.' })
  @Optional()
  @IsBoolean()
  keepKeys: boolean = false;
}

/** Body of POST /account/v1/password/change. */
@Example({ currentPassword: PASSWORD, newPassword: 'another horse altogether' })
export class ChangePasswordBody {
  @JSONSchema({ description: 'The current password.' })
  @IsString()
  @MinLength(1)
  @MaxLength(PASSWORD_MAX)
  currentPassword!: string;

  @JSONSchema({ description: 'The new password. Any characters. Only the length is checked.' })
  @IsString()
  @MinLength(PASSWORD_MIN)
  @MaxLength(PASSWORD_MAX)
  newPassword!: string;
}

const cap = (description: string) =>
  Field.Integer(`${description} null: no limit.`, { min: 0, nullable: true });

/** Response of POST /account/v1/sign-up. */
@Example({ status: 'created' })
export class SignUpResult {
  @Field.Word(
    ['created', 'check_email'],
    'created: log in now. check_email: a mail was sent. The response is the same for a new and for an existing account.',
  )
  status!: 'created' | 'check_email';
}

class SessionInfoAccountLimits {
  @Field.Integer('Requests per minute over all keys.', { min: 1 }) requestsPerMinute!: number;
  @cap('Requests per UTC day over all keys.') requestsPerDay!: number | null;
  @cap('API keys.') keys!: number | null;
  @cap('Webhook endpoints.') webhooks!: number | null;
  @cap('Watched wallets.') wallets!: number | null;
}

class SessionInfoAccount {
  @Field.Id('acc', 'The account.') id!: string;
  @Field.Text('Its e-mail address, in lower case.') email!: string;
  @Field.Timestamp('null: not checked.', { nullable: true }) emailVerifiedAt!: string | null;
  @Field.Word(TIERS, 'Its tier.') tier!: Tier;
  @Field.Timestamp('When the account was created.') createdAt!: string;
  @Field.Object(() => SessionInfoAccountLimits, 'Limits of the account.')
  limits!: SessionInfoAccountLimits;
}

class SessionInfoSession {
  @Field.Timestamp('When the session began.') createdAt!: string;
  @Field.Timestamp('When the session ends without use. Each use extends it.') expiresAt!: string;
  @Field.Timestamp('When the session ends in any case.') endsAt!: string;
}

/**
 * Response of POST /account/v1/log-in and GET /account/v1/session: the signed-in account and the end of the
 * session.
 */
@Example({
  account: {
    id: ACCOUNT_ID,
    email: ADA,
    emailVerifiedAt: TIMESTAMP,
    tier: 'open',
    createdAt: TIMESTAMP,
    limits: { requestsPerMinute: 10, requestsPerDay: 1_000, keys: 1, webhooks: 0, wallets: 3 },
  },
  session: { createdAt: TIMESTAMP, expiresAt: TIMESTAMP, endsAt: TIMESTAMP },
})
export class SessionInfo {
  @Field.Object(() => SessionInfoAccount, 'The account.') account!: SessionInfoAccount;
  @Field.Object(() => SessionInfoSession, 'The session of this request.') session!: SessionInfoSession;
}

/** Response of requests without a result: log-out, the mails, password change and reset. */
@Example({ success: true })
export class Done {
  @Field.Boolean('Always true.') success!: boolean;
}

/** Body of POST /account/v1/session/confirm. */
@Example({ password: PASSWORD })
export class PasswordBody {
  @JSONSchema({ description: 'The password of the account.' })
  @IsString()
  @MinLength(1)
  @MaxLength(PASSWORD_MAX)
  password!: string;
}

/** An open session of the account. */
export class SessionItem {
  @Field.Id('ses', 'The session. It gives no access.') id!: string;
  @Field.Boolean('True for the session of this request.') isCurrent!: boolean;

  @Field.Text('Client address of its log-in. Null for older sessions.', { nullable: true })
  address!: string | null;

  @Field.Text('User-Agent of its log-in. Null when none was sent.', { nullable: true })
  userAgent!: string | null;

  @Field.Timestamp('When it began.') createdAt!: string;
  @Field.Timestamp('When it was last used, to five minutes.') lastSeenAt!: string;

  @Field.Timestamp('When the password was last sent. Keys and secrets need it for ten minutes.')
  authenticatedAt!: string;

  @Field.Timestamp('When it ends without use.') expiresAt!: string;
}

/** Response of GET /account/v1/sessions. */
@Example({
  sessions: [
    {
      id: SESSION_ID,
      isCurrent: true,
      address: '203.0.113.7',
      userAgent: 'Mozilla/5.0',
      createdAt: TIMESTAMP,
      lastSeenAt: TIMESTAMP,
      authenticatedAt: TIMESTAMP,
      expiresAt: TIMESTAMP,
    },
  ],
  count: 1,
})
export class SessionList {
  @Field.Object(() => SessionItem, 'Newest first. An account has at most 20.', { list: true })
  sessions!: SessionItem[];

  @Field.ItemCount() count!: number;
}

/** Response of DELETE /account/v1/sessions/:id. */
@Example({ success: true, deleted: SESSION_ID })
export class EndedSession {
  @Field.Boolean('Always true.') success!: boolean;
  @Field.Id('ses', 'The ended session.') deleted!: string;
}
