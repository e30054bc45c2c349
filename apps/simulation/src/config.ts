import { availableParallelism } from 'node:os';
import { KafkaConfig } from '@plimsoll/service-kit';
import { IsInt, Matches, Max, Min } from 'class-validator';

export class SimulationConfig extends KafkaConfig {
  /** Origin of the positions service: what a figure is about is read there. */
  @Matches(/^https?:\/\/[^/\s,]+$/, { message: 'must be an http:// origin without a path' })
  UPSTREAM_POSITIONS: string = '';

  /** Threads that simulate. One core is left to the event loop. */
  @IsInt()
  @Min(1)
  @Max(64)
  SIMULATION_WORKERS: number = Math.max(1, availableParallelism() - 1);

  /** Simulations that may wait for a thread; more are refused with 503. */
  @IsInt()
  @Min(0)
  @Max(10_000)
  SIMULATION_QUEUE: number = 64;

  /** Milliseconds that a simulation may take, its waiting included; then 504. Below the gateway's deadline. */
  @IsInt()
  @Min(100)
  SIMULATION_DEADLINE_MS: number = 10_000;
}
