import { type Static, Type } from '@sinclair/typebox';
import { itemCount, nextCursor, nullable, oneOf, recordId, timestamp } from './fields';

/** Actions in the audit log of an account. */
export const AUDIT_ACTIONS = [
  'account_created',
  'tier_changed',
  'logged_in',
  'log_in_failed',
  'logged_out',
  'session_ended',
  'session_confirmed',
  'email_verified',
  'password_changed',
  'password_reset',
  'key_created',
  'key_rotated',
  'key_revoked',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * The actor: a signed-in session, the operator's command line, the holder of a mailed code, or a visitor who
 * is not signed in.
 */
export const AUDIT_ACTORS = ['session', 'admin', 'mail', 'visitor'] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/** An entry of the audit log. */
export const AuditItem = Type.Object({
  id: recordId('aud', 'The entry.'),
  action: oneOf(AUDIT_ACTIONS, { description: 'The action.' }),
  actor: oneOf(AUDIT_ACTORS, {
    description:
      'session: a signed-in user. admin: the operator. mail: the holder of a mailed code. visitor: a user who is not signed in.',
  }),
  address: nullable(Type.String(), 'Client address. Null on the command line.'),
  sessionId: nullable(
    recordId('ses', 'The session that acted, or that a log-in opened.'),
    'Null for other actors.',
  ),
  userAgent: nullable(Type.String(), 'User-Agent of the client. Null when it sent none.'),
  details: Type.Record(Type.String(), Type.String(), {
    description: 'Details of the action: keyId, name, from, to. Never a secret.',
  }),
  createdAt: timestamp('When.'),
});
export type AuditItem = Static<typeof AuditItem>;

/** Response of GET /account/v1/audit. */
export const AuditList = Type.Object({
  entries: Type.Array(AuditItem, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type AuditList = Static<typeof AuditList>;
