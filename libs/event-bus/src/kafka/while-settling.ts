import { KafkaJSAggregateError, KafkaJSProtocolError } from 'kafkajs';
import { backoffMs, pause } from '../backoff';

const TRIES = 10;
const BACKOFF = { baseMs: 50, capMs: 1_000 };

/**
 * Repeats an admin request while the broker does not know recently created topics yet. It then names a leader
 * that does not know the topic, or does not know the topic itself, and kafkajs gives up immediately. About
 * seven seconds at most.
 */
export async function whileSettling<T>(work: () => Promise<T>, random: () => number): Promise<T> {
  const never = new AbortController().signal;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isSettling(error) || attempt === TRIES) throw error;
      await pause(backoffMs(attempt, BACKOFF.baseMs, BACKOFF.capMs, random), never);
    }
  }
}

function isSettling(error: unknown): boolean {
  if (error instanceof KafkaJSAggregateError) return error.errors.every(isSettling);
  return error instanceof KafkaJSProtocolError && error.retriable;
}
