import { availableParallelism } from 'node:os';
import { EventServiceConfig, IsDays, IsIntegerIn, IsOrigin } from '@plimsoll/service-kit';

export class SimulationConfig extends EventServiceConfig {
  static override readonly service = 'simulation';

  /** Origin of the positions service, which provides the positions behind all figures. */
  @IsOrigin()
  UPSTREAM_POSITIONS: string = '';

  /** Threads for all simulations. One core is left to the event loop and the thread for short simulations. */
  @IsIntegerIn(1, 64)
  SIMULATION_WORKERS: number = Math.max(1, availableParallelism() - 1);

  /** Simulations that may wait for a thread. More are rejected with 503. */
  @IsIntegerIn(0, 10_000)
  SIMULATION_QUEUE: number = 64;

  /** Time limit of a simulation in milliseconds, waiting included; then 504. Below the gateway's deadline. */
  @IsIntegerIn(100)
  SIMULATION_DEADLINE_MS: number = 10_000;

  /** Positions whose forecasts are recorded together with the outcome. */
  @IsIntegerIn(1, 10_000)
  TRACK_RECORD_POSITIONS: number = 200;

  /** Milliseconds of a slot: each recorded position is forecast once in it. */
  @IsIntegerIn(60_000, 86_400_000)
  TRACK_RECORD_INTERVAL_MS: number = 3_600_000;

  /** Mean milliseconds between two rounds that keep the record. */
  @IsIntegerIn(50, 3_600_000)
  TRACK_RECORD_ROUND_MS: number = 60_000;

  /**
   * Days after its horizon that a forecast is stored individually, so that a late event can correct it. Then
   * it is added to sums.
   */
  @IsDays()
  TRACK_RECORD_RAW_DAYS: number = 7;

  /** Milliseconds that the figures of the track record are kept in memory. */
  @IsIntegerIn(0, 3_600_000)
  TRACK_RECORD_CACHE_MS: number = 60_000;
}
