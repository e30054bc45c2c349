import { AUDIT_ID, Example, Field, KEY_ID, SESSION_ID, TIMESTAMP } from '../fields';

/** Actions in the audit log of an account. */
export const AUDIT_ACTIONS = [
  'account_created',
  'tier_changed',
  'tier_requested',
  'tier_request_withdrawn',
  'logged_in',
  'log_in_failed',
  'logged_out',
  'session_ended',
  'session_confirmed',
  'email_verified',
  'password_changed',
  'password_reset',
  'device_approved',
  'device_denied',
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
export class AuditItem {
  @Field.Id('aud', 'The entry.') id!: string;
  @Field.Word(AUDIT_ACTIONS, 'The action.') action!: AuditAction;

  @Field.Word(
    AUDIT_ACTORS,
    'session: a signed-in user. admin: the operator. mail: the holder of a mailed code. visitor: a user who is not signed in.',
  )
  actor!: AuditActor;

  @Field.Text('Client address. Null on the command line.', { nullable: true }) address!: string | null;

  @Field.Id('ses', 'The session that acted, or that a log-in opened. Null for other actors.', {
    nullable: true,
  })
  sessionId!: string | null;

  @Field.Text('User-Agent of the client. Null when it sent none.', { nullable: true })
  userAgent!: string | null;

  @Field.Text('Details of the action: keyId, name, from, to. Never a secret.', { map: true })
  details!: Record<string, string>;

  @Field.Timestamp('When.') createdAt!: string;
}

/** Response of GET /account/v1/audit. */
@Example({
  entries: [
    {
      id: AUDIT_ID,
      action: 'key_created',
      actor: 'session',
      address: '203.0.113.7',
      sessionId: SESSION_ID,
      userAgent: 'Mozilla/5.0',
      details: { keyId: KEY_ID, name: 'production' },
      createdAt: TIMESTAMP,
    },
  ],
  count: 1,
  nextCursor: null,
})
export class AuditList {
  @Field.Object(() => AuditItem, 'Newest first.', { list: true }) entries!: AuditItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}
