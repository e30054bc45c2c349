import { type Static, Type } from '@sinclair/typebox';
import { Transform } from 'class-transformer';
import { IsBoolean, IsString, Matches, MaxLength, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { TIERS } from '../tiers';
import { itemCount, nullable, oneOf, recordId, timestamp } from './fields';
import { Optional } from './optional';

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
export class SignUpBody extends EmailField {
  @JSONSchema({ description: 'Any characters. Only the length is checked.' })
  @IsString()
  @MinLength(PASSWORD_MIN)
  @MaxLength(PASSWORD_MAX)
  password!: string;
}

/** Body of POST /account/v1/log-in. */
export class LogInBody extends EmailField {
  @JSONSchema({ description: 'The password of the account.' })
  @IsString()
  @MinLength(1)
  @MaxLength(PASSWORD_MAX)
  password!: string;
}

/** Body of requests that send a mail: POST /account/v1/email-check/send and /account/v1/password/forgot. */
export class EmailBody extends EmailField {}

/** Body of POST /account/v1/email-check/confirm. */
export class TokenBody {
  @JSONSchema({ description: 'The code from the mail. It works once.' })
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: 'token must be the 43 characters of the mail' })
  token!: string;
}

/** Body of POST /account/v1/password/reset. */
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

const cap = (description: string) => nullable(Type.Integer({ minimum: 0 }), `${description} null: no limit.`);

/** Response of POST /account/v1/sign-up. */
export const SignUpResult = Type.Object({
  status: oneOf(['created', 'check_email'] as const, {
    description:
      'created: log in now. check_email: a mail was sent. The response is the same for a new and for an existing account.',
  }),
});
export type SignUpResult = Static<typeof SignUpResult>;

/**
 * Response of POST /account/v1/log-in and GET /account/v1/session: the signed-in account and the end of the
 * session.
 */
export const SessionInfo = Type.Object({
  account: Type.Object({
    id: recordId('acc', 'The account.'),
    email: Type.String({ description: 'Its e-mail address, in lower case.' }),
    emailVerifiedAt: nullable(timestamp('When the address was checked.'), 'null: not checked.'),
    tier: oneOf(TIERS, { description: 'Its tier.' }),
    createdAt: timestamp('When the account was created.'),
    limits: Type.Object({
      requestsPerMinute: Type.Integer({ minimum: 1, description: 'Requests per minute over all keys.' }),
      requestsPerDay: cap('Requests per UTC day over all keys.'),
      keys: cap('API keys.'),
      webhooks: cap('Webhook endpoints.'),
      wallets: cap('Watched wallets.'),
    }),
  }),
  session: Type.Object({
    createdAt: timestamp('When the session began.'),
    expiresAt: timestamp('When the session ends without use. Each use extends it.'),
    endsAt: timestamp('When the session ends in any case.'),
  }),
});
export type SessionInfo = Static<typeof SessionInfo>;

/** Response of requests without a result: log-out, the mails, password change and reset. */
export const Done = Type.Object({ success: Type.Boolean({ description: 'Always true.' }) });
export type Done = Static<typeof Done>;

/** Body of POST /account/v1/session/confirm. */
export class PasswordBody {
  @JSONSchema({ description: 'The password of the account.' })
  @IsString()
  @MinLength(1)
  @MaxLength(PASSWORD_MAX)
  password!: string;
}

/** An open session of the account. */
export const SessionItem = Type.Object({
  id: recordId('ses', 'The session. It gives no access.'),
  isCurrent: Type.Boolean({ description: 'True for the session of this request.' }),
  address: nullable(Type.String(), 'Client address of its log-in. Null for older sessions.'),
  userAgent: nullable(Type.String(), 'User-Agent of its log-in. Null when none was sent.'),
  createdAt: timestamp('When it began.'),
  lastSeenAt: timestamp('When it was last used, to five minutes.'),
  authenticatedAt: timestamp('When the password was last sent. Keys and secrets need it for ten minutes.'),
  expiresAt: timestamp('When it ends without use.'),
});
export type SessionItem = Static<typeof SessionItem>;

/** Response of GET /account/v1/sessions. */
export const SessionList = Type.Object({
  sessions: Type.Array(SessionItem, { description: 'Newest first. An account has at most 20.' }),
  count: itemCount,
});
export type SessionList = Static<typeof SessionList>;

/** Response of DELETE /account/v1/sessions/:id. */
export const EndedSession = Type.Object({
  success: Type.Boolean({ description: 'Always true.' }),
  deleted: recordId('ses', 'The ended session.'),
});
export type EndedSession = Static<typeof EndedSession>;
