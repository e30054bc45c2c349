import { IsIntegerIn, IsOrigin, IsRedisPrefix, IsRedisUrl, KafkaConfig } from '@plimsoll/service-kit';
import { ValidateIf } from 'class-validator';

export class StreamsConfig extends KafkaConfig {
  static override readonly service = 'streams';

  /**
   * Redis stores the tickets of browsers, so that a ticket from one instance opens a stream on any other,
   * once.
   */
  @IsRedisUrl()
  REDIS_URL: string = '';

  /** Prefix of every Redis key, so that several platforms can share a Redis. */
  @IsRedisPrefix()
  REDIS_KEY_PREFIX: string = 'plimsoll:';

  /** Origin of the positions service, which resolves ENS names in filters. Empty: only addresses are accepted. */
  @ValidateIf(({ UPSTREAM_POSITIONS }: StreamsConfig) => UPSTREAM_POSITIONS !== '')
  @IsOrigin()
  UPSTREAM_POSITIONS: string = '';

  /**
   * Milliseconds between two heartbeats of a connection. A connection that sends no pong for this long is
   * closed.
   */
  @IsIntegerIn(100)
  HEARTBEAT_MS: number = 30_000;

  /**
   * Milliseconds over which clients reconnect when this instance stops, so that they do not all return at the
   * same time.
   */
  @IsIntegerIn(0)
  RECONNECT_SPREAD_MS: number = 5_000;

  /** Milliseconds that a client has to reply to a close frame before its socket is closed. */
  @IsIntegerIn(100)
  CLOSE_DEADLINE_MS: number = 2_000;

  /**
   * Milliseconds for which a returning client receives what it missed. At most 15 minutes, because Kafka
   * keeps every state of a position for that long.
   */
  @IsIntegerIn(1_000, 900_000)
  RESUME_WINDOW_MS: number = 600_000;

  /** Memory for the events of the window of each stream. Events beyond it are read from Kafka again. */
  @IsIntegerIn(0)
  RESUME_MEMORY_BYTES: number = 67_108_864;
}
