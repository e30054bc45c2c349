import { ServiceConfig } from '@plimsoll/service-kit';
import { IsInt, Matches, Min } from 'class-validator';

export class StreamsConfig extends ServiceConfig {
  /** Kafka brokers, `host:port`, comma-separated. */
  @Matches(/^[^\s,]+:\d+(,[^\s,]+:\d+)*$/, { message: 'must be host:port, several separated by commas' })
  KAFKA_BROKERS: string = '';

  /** Put before every topic and group name, so that several environments can share brokers. */
  @Matches(/^[A-Za-z0-9._-]*$/)
  KAFKA_TOPIC_PREFIX: string = '';

  /** Milliseconds between two heartbeats of a connection; one that answers no ping for as long is closed. */
  @IsInt()
  @Min(100)
  HEARTBEAT_MS: number = 15_000;

  /** Milliseconds over which clients are told to come back when this instance stops, so that they do not come at once. */
  @IsInt()
  @Min(0)
  RECONNECT_SPREAD_MS: number = 5_000;

  /** Milliseconds a client has to answer a close before its socket is cut. */
  @IsInt()
  @Min(100)
  CLOSE_DEADLINE_MS: number = 2_000;
}
