import type { SealedSecret, SecretBox } from '@plimsoll/service-kit';

/** The stored signing secrets of an endpoint. */
export interface StoredSecrets {
  secretKeyId: string;
  secretSealed: Uint8Array;
  /** The secret that replaces it when the overlap ends. All three fields are null without a rotation. */
  nextSecretKeyId: string | null;
  nextSecretSealed: Uint8Array | null;
  secretOverlapEndsAt: Date | null;
}

/** The secrets that sign a request: `next` beside `current` during an overlap. */
export interface SigningSecrets {
  current: string;
  next: string | null;
}

/** Returns the stored secrets at a time. After an overlap, the next secret is the current one. */
export function secretsAt(
  stored: StoredSecrets,
  nowMs: number,
): { current: SealedSecret; next: SealedSecret | null } {
  const { nextSecretKeyId, nextSecretSealed, secretOverlapEndsAt } = stored;
  const current = { keyId: stored.secretKeyId, sealed: stored.secretSealed };
  if (nextSecretKeyId === null || nextSecretSealed === null || secretOverlapEndsAt === null)
    return { current, next: null };
  const next = { keyId: nextSecretKeyId, sealed: nextSecretSealed };
  return nowMs < secretOverlapEndsAt.getTime() ? { current, next } : { current: next, next: null };
}

/** Opens the secrets that sign a request at a time. */
export function signingSecretsAt(
  stored: StoredSecrets,
  webhookId: string,
  box: SecretBox,
  nowMs: number,
): SigningSecrets {
  const { current, next } = secretsAt(stored, nowMs);
  return { current: box.open(current, webhookId), next: next && box.open(next, webhookId) };
}
