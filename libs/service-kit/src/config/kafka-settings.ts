import type { KafkaConfig } from './service.config';

/** The Kafka settings of event-bus. */
export interface KafkaSettings {
  brokers: string[];
  topicPrefix: string;
  partitions: number;
}

/** Returns the Kafka settings for event-bus. */
export function kafkaSettings(config: KafkaConfig): KafkaSettings {
  return {
    brokers: config.KAFKA_BROKERS.split(','),
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    partitions: config.KAFKA_PARTITIONS,
  };
}
