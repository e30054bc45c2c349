import { KafkaConfig } from '@plimsoll/service-kit';
import { IsInt, Matches, Max, Min } from 'class-validator';

export class StreamsConfig extends KafkaConfig {
  /** Tickets of browsers are kept here, so that one made on any instance is good on any other, once. */
  @Matches(/^rediss?:\/\//, { message: 'must be a redis:// address' })
  REDIS_URL: string = '';

  /** Put before every Redis key, so that several platforms can share a Redis. */
  @Matches(/^[A-Za-z0-9._:-]*$/)
  REDIS_KEY_PREFIX: string = 'plimsoll:';

  /** Milliseconds between two heartbeats of a connection; one that answers no ping for as long is closed. */
  @IsInt()
  @Min(100)
  HEARTBEAT_MS: number = 30_000;

  /** Milliseconds over which clients are told to come back when this instance stops, so that they do not come at once. */
  @IsInt()
  @Min(0)
  RECONNECT_SPREAD_MS: number = 5_000;

  /** Milliseconds a client has to answer a close before its socket is cut. */
  @IsInt()
  @Min(100)
  CLOSE_DEADLINE_MS: number = 2_000;

  /** Milliseconds back from now for which a client that comes back gets what it missed. At most 15 minutes: as long as
   * Kafka keeps every state of a position. */
  @IsInt()
  @Min(1_000)
  @Max(900_000)
  RESUME_WINDOW_MS: number = 600_000;

  /** Memory for the events of the window, for each stream; what does not fit is read back from Kafka. */
  @IsInt()
  @Min(0)
  RESUME_MEMORY_BYTES: number = 67_108_864;
}
