import type { SealedSecret, SecretBox } from './secret-box';

/** The signing secrets of an endpoint as they are stored. */
export interface StoredSecrets {
  secretKeyId: string;
  secretSealed: Uint8Array;
  /** What takes its place when the overlap ends; all three are null when no rotation is under way. */
  nextSecretKeyId: string | null;
  nextSecretSealed: Uint8Array | null;
  secretOverlapEndsAt: Date | null;
}

/** What a request is signed with: `next` beside `current` while an overlap lasts. */
export interface SigningSecrets {
  current: string;
  next: string | null;
}

/** The stored secrets as they stand at a moment: an overlap that has ended has left the next one in use. */
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

/** Opens what a request made at a moment is signed with. */
export function signingSecretsAt(
  stored: StoredSecrets,
  webhookId: string,
  box: SecretBox,
  nowMs: number,
): SigningSecrets {
  const { current, next } = secretsAt(stored, nowMs);
  return { current: box.open(current, webhookId), next: next && box.open(next, webhookId) };
}
