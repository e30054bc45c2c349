import type { SealedSecret } from '@plimsoll/service-kit';
import { type StoredSecrets, secretsAt } from './signing-secrets';

const HOUR_MS = 3_600_000;

/** Result of a rotation. `isNew` is false when it only ended the previous overlap and created no secret. */
export interface Rotation {
  stored: StoredSecrets;
  isNew: boolean;
}

/**
 * Returns the secrets of an endpoint after a rotation, or null when a current overlap would lose its secret.
 * @param fresh new secret, used unless the request only ends an overlap
 * @param overlapHours 0 ends the current overlap, or without one replaces the secret immediately
 */
export function rotateSecret(
  stored: StoredSecrets,
  fresh: SealedSecret,
  overlapHours: number,
  nowMs: number,
): Rotation | null {
  const { current, next } = secretsAt(stored, nowMs);
  if (overlapHours === 0) return { stored: storedSecrets(next ?? fresh), isNew: next === null };
  if (next !== null) return null;
  const endsAt = new Date(nowMs + overlapHours * HOUR_MS);
  return { stored: storedSecrets(current, fresh, endsAt), isNew: true };
}

function storedSecrets(
  current: SealedSecret,
  next: SealedSecret | null = null,
  secretOverlapEndsAt: Date | null = null,
): StoredSecrets {
  return {
    secretKeyId: current.keyId,
    secretSealed: current.sealed,
    nextSecretKeyId: next?.keyId ?? null,
    nextSecretSealed: next?.sealed ?? null,
    secretOverlapEndsAt,
  };
}
