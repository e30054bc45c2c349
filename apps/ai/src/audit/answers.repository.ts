import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Fact } from '../facts/fact';
import { Prisma, PrismaClient } from '../generated/prisma/client';

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
  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  async insert(row: AnswerRow): Promise<void> {
    const { facts, answer, prompt, createdAtMs, ...columns } = row;
    await this.prisma.answer.create({
      data: {
        ...columns,
        facts: facts as unknown as Prisma.InputJsonArray,
        answer: answer as Prisma.InputJsonObject,
        prompt: (prompt as Prisma.InputJsonObject | null) ?? Prisma.DbNull,
        createdAt: new Date(createdAtMs),
      },
      select: { id: true },
    });
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
