import type { StoredSecrets } from '../secrets/signing-secrets';

/** The data of an endpoint that a request and its result need. */
export interface WebhookTarget extends StoredSecrets {
  webhookId: string;
  url: string;
  /** First failed attempt after the last success. Null while the last attempt succeeded. */
  failingSince: Date | null;
  /** False until it responds to test.ping with 2xx. */
  isVerified: boolean;
}

/** Columns of a WebhookTarget except its id. `w` is the row of webhooks. */
export const WEBHOOK_TARGET_COLUMNS = `w.url, w.secret_key_id AS "secretKeyId", w.secret_sealed AS "secretSealed",
  w.next_secret_key_id AS "nextSecretKeyId", w.next_secret_sealed AS "nextSecretSealed",
  w.secret_overlap_ends_at AS "secretOverlapEndsAt", w.failing_since AS "failingSince",
  w.verified_at IS NOT NULL AS "isVerified"`;
