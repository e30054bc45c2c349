import {
  ChangePasswordBody,
  Done,
  EmailBody,
  EndedSession,
  LogInBody,
  PasswordBody,
  ResetPasswordBody,
  SessionInfo,
  SessionList,
  SignUpBody,
  SignUpResult,
  TokenBody,
  recordId,
} from '@plimsoll/contracts';
import type { AccountOperations, SuccessResponse } from '../operation';
import { ACCOUNT_ID, SESSION_ID, TIMESTAMP } from './samples';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
const TOKEN = 'Zm9yIHRoZSBleGFtcGxlIG9ubHksIG5vdCBhIGtleSE';
const SESSION: SuccessResponse = {
  status: 200,
  description: 'The signed-in account and the end of its session.',
  schema: SessionInfo,
  example: {
    account: {
      id: ACCOUNT_ID,
      email: EMAIL,
      emailVerifiedAt: TIMESTAMP,
      tier: 'open',
      createdAt: TIMESTAMP,
      limits: { requestsPerMinute: 10, requestsPerDay: 1_000, keys: 1, webhooks: 0, wallets: 3 },
    },
    session: { createdAt: TIMESTAMP, expiresAt: TIMESTAMP, endsAt: TIMESTAMP },
  },
};
const done = (status: number, description: string): SuccessResponse => ({
  status,
  description,
  schema: Done,
  example: { success: true },
});

export const accountOperations: AccountOperations = {
  'POST /account/v1/sign-up': {
    operationId: 'signUp',
    tag: 'Account',
    signedIn: false,
    summary: 'Create an account',
    description:
      'Creates an account of the open tier. Where the platform sends mails, the address must be confirmed before the first log-in. The response is the same whether or not the address had an account.',
    body: SignUpBody,
    bodyExample: { email: EMAIL, password: PASSWORD },
    responses: [
      {
        status: 201,
        description: 'The account can log in.',
        schema: SignUpResult,
        example: { status: 'created' },
      },
      {
        status: 202,
        description: 'A mail was sent to the address.',
        schema: SignUpResult,
        example: { status: 'check_email' },
      },
    ],
    errors: ['conflict'],
  },
  'POST /account/v1/email-check/send': {
    operationId: 'sendEmailCheck',
    tag: 'Account',
    signedIn: false,
    summary: 'Send the code that confirms an address again',
    description:
      'The new code replaces that of the newest sign-up. Nothing is sent where the platform sends no mails.',
    body: EmailBody,
    bodyExample: { email: EMAIL },
    responses: [done(202, 'The same for every address.')],
  },
  'POST /account/v1/email-check/confirm': {
    operationId: 'confirmEmail',
    tag: 'Account',
    signedIn: false,
    summary: 'Confirm an address with the code of the mail',
    description: 'A code works once, for 24 hours. The password of its sign-up becomes that of the account.',
    body: TokenBody,
    bodyExample: { token: TOKEN },
    responses: [done(200, 'The account can log in.')],
  },
  'POST /account/v1/log-in': {
    operationId: 'logIn',
    tag: 'Account',
    signedIn: false,
    summary: 'Log in',
    description:
      'Sets the session cookie. Pages of this origin may then use this API and `/v1`, with the account’s tier and every scope. The sessions of an account share a window of 60 (open), 120 (pro), 300 (business) or 1,000 (enterprise) requests a minute, and count in its daily quota. After five failures, a client waits before its next log-in to this account.',
    body: LogInBody,
    bodyExample: { email: EMAIL, password: PASSWORD },
    responses: [SESSION],
    errors: ['invalid_credentials', 'email_not_verified'],
  },
  'POST /account/v1/log-out': {
    operationId: 'logOut',
    tag: 'Account',
    signedIn: true,
    summary: 'Log out',
    description: 'Ends this session. Other sessions of the account continue.',
    responses: [done(200, 'The cookie is removed.')],
  },
  'GET /account/v1/session': {
    operationId: 'getSession',
    tag: 'Account',
    signedIn: true,
    summary: 'Show the session',
    description: 'The account and the session of the cookie.',
    responses: [SESSION],
  },
  'GET /account/v1/sessions': {
    operationId: 'listSessions',
    tag: 'Account',
    signedIn: true,
    summary: 'Sessions',
    description: 'The open sessions of the account, newest first.',
    responses: [
      {
        status: 200,
        description: 'All open sessions.',
        schema: SessionList,
        example: {
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
        },
      },
    ],
  },
  'DELETE /account/v1/sessions/:id': {
    operationId: 'endSession',
    tag: 'Account',
    signedIn: true,
    summary: 'End a session',
    description: 'The session stops working within a second.',
    path: { id: recordId('ses', 'Id of the session.') },
    responses: [
      {
        status: 200,
        description: 'The session has ended.',
        schema: EndedSession,
        example: { success: true, deleted: SESSION_ID },
      },
    ],
    errors: ['not_found'],
  },
  'POST /account/v1/session/confirm': {
    operationId: 'confirmSession',
    tag: 'Account',
    signedIn: true,
    summary: 'Confirm the password',
    description:
      'Creating and rotating keys, and secrets of webhooks, need a password that was sent in the last ten minutes, at the log-in or here. Otherwise they respond with 403 recent_log_in_required.',
    body: PasswordBody,
    bodyExample: { password: PASSWORD },
    responses: [done(200, 'The session may manage keys and secrets for ten minutes.')],
  },
  'POST /account/v1/password/forgot': {
    operationId: 'forgotPassword',
    tag: 'Account',
    signedIn: false,
    summary: 'Send a code for a new password',
    description:
      'A newer code invalidates the previous one. Where the platform sends no mails, its operator sets a new password.',
    body: EmailBody,
    bodyExample: { email: EMAIL },
    responses: [done(202, 'The same for every address.')],
  },
  'POST /account/v1/password/reset': {
    operationId: 'resetPassword',
    tag: 'Account',
    signedIn: false,
    summary: 'Set a new password with the code of the mail',
    description:
      'A code works once, for an hour. Every session of the account ends, and every API key unless keepKeys is true.',
    body: ResetPasswordBody,
    bodyExample: { token: TOKEN, password: PASSWORD, keepKeys: false },
    responses: [done(200, 'Log in with the new password.')],
  },
  'POST /account/v1/password/change': {
    operationId: 'changePassword',
    tag: 'Account',
    signedIn: true,
    summary: 'Change the password',
    description: 'The other sessions of the account end. API keys do not change.',
    body: ChangePasswordBody,
    bodyExample: { currentPassword: PASSWORD, newPassword: 'another horse altogether' },
    responses: [done(200, 'The new password is valid.')],
  },
};
