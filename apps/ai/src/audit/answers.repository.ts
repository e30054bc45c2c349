import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Fact } from '../facts/fact';

/** A stored answer. */
export interface AnswerRow {
  id: string;
  accountId: string;
  kind: string;
  requestId: string;
  question: string;
  facts: readonly Fact[];
  answer: object;
  prompt: object | null;
  generator: string;
  confidence: number;
  createdAtMs: number;
}

/** Rows that one statement deletes. A larger number would hold locks for too long. */
const MOST_DELETED = 1_000;

@Injectable()
export class AnswersRepository {
  constructor(private readonly pool: Pool) {}

  async insert(row: AnswerRow): Promise<void> {
    await this.pool.query(
      `INSERT INTO answers
         (id, account_id, kind, request_id, question, facts, answer, prompt, generator, confidence, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        row.id,
        row.accountId,
        row.kind,
        row.requestId,
        row.question,
        JSON.stringify(row.facts),
        JSON.stringify(row.answer),
        row.prompt && JSON.stringify(row.prompt),
        row.generator,
        row.confidence,
        new Date(row.createdAtMs),
      ],
    );
  }

  /** Deletes the oldest answers from before a time. @returns whether there may be more */
  async deleteBefore(timeMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM answers WHERE id IN
         (SELECT id FROM answers WHERE created_at < $1 ORDER BY created_at LIMIT ${MOST_DELETED})`,
      [new Date(timeMs)],
    );
    return rowCount === MOST_DELETED;
  }
}
