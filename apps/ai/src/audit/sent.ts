import { ANSWER_GENERATOR_HEADER } from '@plimsoll/contracts';
import type { FastifyReply } from 'fastify';
import type { StoredAnswer } from './answer-store';

/** The body of an answer, its header set. */
export function sent<T>(reply: FastifyReply, { generator, body }: StoredAnswer<T>): T {
  void reply.header(ANSWER_GENERATOR_HEADER, generator);
  return body;
}
