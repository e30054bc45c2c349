import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Problem, type RotatedSecret, notFound } from '@plimsoll/contracts';
import { Clock, SecretBox } from '@plimsoll/service-kit';
import type { Commit, Committed } from '@plimsoll/service-kit';
import { rotateSecret } from '../secrets/rotate-secret';
import { generateSecret } from '../secrets/webhook-secret';
import { WEBHOOK_TARGET_COLUMNS, type WebhookTarget } from '../outgoing/webhook-target';

const LOCK = `
SELECT ${WEBHOOK_TARGET_COLUMNS} FROM webhooks w
WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`;

const STORE = `
UPDATE webhooks SET secret_key_id = $2, secret_sealed = $3, next_secret_key_id = $4, next_secret_sealed = $5,
                    secret_overlap_ends_at = $6
WHERE id = $1`;

/** Replaces the secret of an endpoint, with a period in which both are valid. */
@Injectable()
export class SecretRotationService {
  constructor(
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** @throws not_found; conflict while the overlap of an earlier rotation lasts and overlapHours is not 0 */
  rotate(
    accountId: string,
    id: string,
    overlapHours: number,
    commit: Commit,
  ): Promise<Committed<RotatedSecret>> {
    const secret = generateSecret(randomBytes);
    return commit(async (tx) => {
      const { rows } = await tx.query<WebhookTarget>(LOCK, [id, accountId]);
      if (!rows[0]) throw notFound('webhook');
      const fresh = this.secrets.seal(secret, id);
      const rotation = rotateSecret(rows[0], fresh, overlapHours, this.clock.now());
      if (rotation === null) throw overlapUnderWay(rows[0]);
      const { stored, isNew } = rotation;
      await tx.query(STORE, [
        id,
        stored.secretKeyId,
        stored.secretSealed,
        stored.nextSecretKeyId,
        stored.nextSecretSealed,
        stored.secretOverlapEndsAt,
      ]);
      const overlapEndsAt = stored.secretOverlapEndsAt?.toISOString() ?? null;
      return { status: 200, body: { webhook: { id, secret: isNew ? secret : null, overlapEndsAt } } };
    });
  }
}

function overlapUnderWay({ secretOverlapEndsAt }: WebhookTarget): Problem {
  return new Problem(
    'conflict',
    `The overlap of an earlier rotation lasts until ${secretOverlapEndsAt?.toISOString()}. End it first: overlapHours 0.`,
  );
}
