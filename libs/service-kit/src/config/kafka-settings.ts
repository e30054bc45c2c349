import type { KafkaConfig } from './service.config';

/** Returns the Kafka settings for event-bus. */
export function kafkaSettings(config: KafkaConfig): {
  brokers: string[];
  topicPrefix: string;
  partitions: number;
} {
  return {
    brokers: config.KAFKA_BROKERS.split(','),
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    partitions: config.KAFKA_PARTITIONS,
  };
}
