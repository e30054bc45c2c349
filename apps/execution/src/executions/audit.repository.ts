import { Inject, Injectable } from '@nestjs/common';
import { type Identity, newId } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';

/** A request for an execution, its caller and its outcome. */
export interface AuditEntry {
  identity: Pick<Identity, 'accountId' | 'keyId' | 'requestId'>;
  action: string;
  positionId: string;
  /** Null when none was created. */
  executionId: string | null;
  /** `accepted`, or the code of the refusal. */
  outcome: string;
  /** The request. */
  asked: object;
  atMs: number;
}

/** Every request that could have moved money, including refused ones. */
@Injectable()
export class AuditRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async write(entry: AuditEntry, on: SqlExecutor = this.pool): Promise<void> {
    const { identity, action, positionId, executionId, outcome, asked, atMs } = entry;
    await on.query(
      `INSERT INTO audit (id, account_id, key_id, request_id, action, position_id, execution_id, outcome, asked, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10::float8 / 1000))`,
      [
        newId('aud'),
        identity.accountId,
        identity.keyId,
        identity.requestId,
        action,
        positionId,
        executionId,
        outcome,
        JSON.stringify(asked),
        atMs,
      ],
    );
  }
}
