import { randomBytes } from 'node:crypto';
import { testAddress } from './test-addresses';

/** The shared Redis, and a prefix that separates this test's keys from all others. */
export function testRedis(): { url: string; keyPrefix: string } {
  return { url: testAddress('redis'), keyPrefix: uniquePrefix(':') };
}

/**
 * The shared Kafka, and a KAFKA_TOPIC_PREFIX that separates this test's topics and groups from all others.
 */
export function testKafka(): { brokers: string[]; topicPrefix: string } {
  return { brokers: testAddress('kafka').split(','), topicPrefix: uniquePrefix('.') };
}

function uniquePrefix(separator: string): string {
  return `t${randomBytes(6).toString('hex')}${separator}`;
}
