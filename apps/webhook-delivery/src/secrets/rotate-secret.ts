import type { SealedSecret } from './secret-box';
import { type StoredSecrets, secretsAt } from './signing-secrets';

const HOUR_MS = 3_600_000;

/** What a rotation comes to; `isNew` false: it only ended the overlap of the one before, and no secret was made. */
export interface Rotation {
  stored: StoredSecrets;
  isNew: boolean;
}

/**
 * The secrets of an endpoint after a rotation (decisions.md, Endpoints beyond the tables), or null when an overlap is
 * under way that would lose its secret.
 * @param fresh taken unless the call only ends an overlap
 * @param overlapHours 0: ends the overlap under way, or without one replaces the secret at once
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
