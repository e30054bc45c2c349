import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { RecordId, Timestamp, oneOf } from './fields';

/** Why a session ended. `replaced`: the account opened more sessions than it may have. */
export const SESSION_ENDINGS = [
  'logged_out',
  'ended',
  'password_changed',
  'password_reset',
  'address_confirmed',
  'expired',
  'replaced',
] as const;
export type SessionEnding = (typeof SESSION_ENDINGS)[number];

/** The end of a session, for services that keep connections open. It never contains the session's token. */
const SessionV1Schema = Type.Object({
  sessionId: RecordId('ses'),
  accountId: RecordId('acc'),
  endedAt: Timestamp,
  ending: oneOf(SESSION_ENDINGS),
});

export type SessionV1 = Static<typeof SessionV1Schema>;

const DAY_MS = 86_400_000;

export const sessionV1 = defineEvent({
  topic: 'session.v1',
  schema: SessionV1Schema,
  compacted: false,
  // A stream or a ticket of a session that ended before is long closed or expired.
  retentionMs: DAY_MS,
  keyOf: (value) => value.accountId,
});
