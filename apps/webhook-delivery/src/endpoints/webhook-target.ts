import type { StoredSecrets } from '../secrets/signing-secrets';

/** An endpoint as a request to it, and what follows from its result, need it. */
export interface WebhookTarget extends StoredSecrets {
  webhookId: string;
  url: string;
  /** First failed attempt after the last that succeeded; null while the last one did. */
  failingSince: Date | null;
}

/** Columns of a WebhookTarget beside its id; `w` is the row of webhooks. */
export const WEBHOOK_TARGET_COLUMNS = `w.url, w.secret_key_id AS "secretKeyId", w.secret_sealed AS "secretSealed",
  w.next_secret_key_id AS "nextSecretKeyId", w.next_secret_sealed AS "nextSecretSealed",
  w.secret_overlap_ends_at AS "secretOverlapEndsAt", w.failing_since AS "failingSince"`;
