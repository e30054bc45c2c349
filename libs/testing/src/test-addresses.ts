import { randomBytes } from 'node:crypto';

/** The variables in which the global set-up passes the addresses of the shared parts to the test workers. */
export const TEST_ADDRESS_VARIABLES = {
  postgres: 'TEST_DATABASE_URL',
  redis: 'TEST_REDIS_URL',
  kafka: 'TEST_KAFKA_BROKERS',
} as const;

/** A part that all tests of a run share. */
export type SharedPart = keyof typeof TEST_ADDRESS_VARIABLES;

/** The address of a shared part. Throws when the test was not started through the jest project "parts". */
export function testAddress(part: SharedPart): string {
  const variable = TEST_ADDRESS_VARIABLES[part];
  const address = process.env[variable];
  if (!address) {
    throw new Error(
      `${variable} is not set: name the file *.e2e-spec.ts and run it in the jest project "parts"`,
    );
  }
  return address;
}

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
