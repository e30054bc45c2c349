import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { Address, Hex } from 'viem';
import { PrismaClient } from '../generated/prisma/client';
import type { SignedAttempt } from './submission';

/** Signed transactions. */
@Injectable()
export class AttemptsRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Returns those of an execution, newest first. */
  async of(executionId: string): Promise<SignedAttempt[]> {
    const rows = await this.prisma.transaction.findMany({
      where: { executionId },
      orderBy: { attempt: 'desc' },
    });
    return rows.map(({ attempt, kind, sender, nonce, hash, raw, maxFee, priorityFee, signedAt, sentAt }) => ({
      attempt,
      kind: kind as SignedAttempt['kind'],
      sender: sender as Address,
      nonce: Number(nonce),
      hash: hash as Hex,
      raw: raw as Hex,
      maxFee: BigInt(maxFee.toFixed()),
      priorityFee: BigInt(priorityFee.toFixed()),
      signedAtMs: signedAt.getTime(),
      sentAtMs: sentAt && sentAt.getTime(),
    }));
  }

  async insert(tx: SqlExecutor, executionId: string, chainId: number, signed: SignedAttempt): Promise<void> {
    await tx.query(
      `INSERT INTO transactions (execution_id, attempt, kind, chain_id, sender, nonce, hash, raw, max_fee, priority_fee,
         signed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11::float8 / 1000))`,
      [
        executionId,
        signed.attempt,
        signed.kind,
        chainId,
        signed.sender,
        signed.nonce,
        signed.hash,
        signed.raw,
        signed.maxFee.toString(),
        signed.priorityFee.toString(),
        signed.signedAtMs,
      ],
    );
  }

  /** Records that a node has it. */
  async markSent(tx: SqlExecutor, hash: string, atMs: number): Promise<void> {
    await tx.query(
      'UPDATE transactions SET sent_at = coalesce(sent_at, to_timestamp($2::float8 / 1000)) WHERE hash = $1',
      [hash, atMs],
    );
  }
}
