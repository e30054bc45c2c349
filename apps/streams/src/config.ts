import { KafkaConfig } from '@plimsoll/service-kit';
import { IsInt, Min } from 'class-validator';

export class StreamsConfig extends KafkaConfig {
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
