import {
  AuditList,
  CreateKeyBody,
  CreatedKey,
  KeyList,
  PageQuery,
  RevokedKey,
  RotateKeyBody,
  RotatedKey,
  UsageReport,
  recordId,
} from '@plimsoll/contracts';
import type { AccountOperations } from '../operation';
import { AUDIT_ID, KEY_ID, OTHER_KEY_ID, SESSION_ID, TIMESTAMP } from './samples';
import { USAGE_EXAMPLE } from './usage';

const KEY = {
  id: KEY_ID,
  hint: 'psk_live_aB3d',
  name: 'production',
  scopes: ['positions:read', 'alerts:read'],
  status: 'active',
  createdAt: TIMESTAMP,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  replacedBy: null,
};
const NEW_KEY = { ...KEY, key: `psk_live_aB3d${'x'.repeat(34)}` };
const path = { id: recordId('key', 'Id of the key.') };

export const accountKeyOperations: AccountOperations = {
  'GET /account/v1/keys': {
    operationId: 'listKeys',
    tag: 'Account',
    signedIn: true,
    summary: 'API keys',
    description: 'The keys of the account, newest first. No key can be shown again.',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'A page of keys.',
        schema: KeyList,
        example: { keys: [KEY], count: 1, limit: 5, nextCursor: null },
      },
    ],
  },
  'POST /account/v1/keys': {
    operationId: 'createKey',
    tag: 'Account',
    signedIn: true,
    summary: 'Create an API key',
    description: 'The response contains the key. It is shown only once. The key works immediately.',
    body: CreateKeyBody,
    bodyExample: { name: 'production', scopes: ['positions:read', 'alerts:read'] },
    responses: [{ status: 201, description: 'The key.', schema: CreatedKey, example: { key: NEW_KEY } }],
    errors: ['quota_reached', 'recent_log_in_required'],
  },
  'POST /account/v1/keys/:id/rotate': {
    operationId: 'rotateKey',
    tag: 'Account',
    signedIn: true,
    summary: 'Replace an API key',
    description:
      'Creates a key with the name and scopes of this one, in its place under the cap of the tier. It has the lifetime of the old key. The old key works until the overlap ends. Another rotation of the new key ends the old one.',
    path,
    body: RotateKeyBody,
    bodyExample: { overlapHours: 24 },
    responses: [
      {
        status: 201,
        description: 'The new key, and the old one with its end.',
        schema: RotatedKey,
        example: {
          key: { ...NEW_KEY, id: OTHER_KEY_ID },
          replaced: { ...KEY, expiresAt: TIMESTAMP, replacedBy: OTHER_KEY_ID },
        },
      },
    ],
    errors: ['not_found', 'conflict', 'recent_log_in_required'],
  },
  'DELETE /account/v1/keys/:id': {
    operationId: 'revokeKey',
    tag: 'Account',
    signedIn: true,
    summary: 'Revoke an API key',
    description: 'It stops working within a second, permanently. Revoking it again has no effect.',
    path,
    responses: [
      {
        status: 200,
        description: 'The key is revoked.',
        schema: RevokedKey,
        example: { success: true, deleted: KEY_ID },
      },
    ],
    errors: ['not_found'],
  },
  'GET /account/v1/usage': {
    operationId: 'getAccountUsage',
    tag: 'Account',
    signedIn: true,
    summary: 'Requests of the last 30 days against the quota',
    description: 'The report of `GET /v1/usage`, for the session.',
    responses: [{ status: 200, description: 'The report.', schema: UsageReport, example: USAGE_EXAMPLE }],
  },
  'GET /account/v1/audit': {
    operationId: 'listAudit',
    tag: 'Account',
    signedIn: true,
    summary: 'Audit log',
    description: 'Actions on the account, with actor and address, for 400 days. Newest first.',
    query: PageQuery,
    responses: [
      {
        status: 200,
        description: 'A page of entries.',
        schema: AuditList,
        example: {
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
        },
      },
    ],
  },
};
