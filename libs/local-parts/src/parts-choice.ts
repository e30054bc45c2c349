import { startEmbeddedKafka, startEmbeddedRedis } from './embedded';
import { startKafka } from './kafka/kafka';
import { startRedis } from './redis';
import type { PartOptions, RunningPart } from './running-part';

/** embedded: servers in Node that speak the same protocols. genuine: redis-server, and Kafka in Java. */
export type PartsChoice = 'embedded' | 'genuine';

type Starter = (options: PartOptions) => Promise<RunningPart>;

/** Starters of Redis and Kafka for each choice. */
export const PART_STARTERS: Readonly<Record<PartsChoice, { redis: Starter; kafka: Starter }>> = {
  embedded: { redis: startEmbeddedRedis, kafka: startEmbeddedKafka },
  genuine: { redis: startRedis, kafka: startKafka },
};

/**
 * Returns the choice in LOCAL_PARTS, by default embedded.
 * @param text value of LOCAL_PARTS
 * @throws Error for any other value
 */
export function partsChoice(text: string | undefined): PartsChoice {
  if (!text) return 'embedded';
  if (text === 'embedded' || text === 'genuine') return text;
  throw new Error(`LOCAL_PARTS is "${text}". Set it to embedded or genuine, or unset it.`);
}
