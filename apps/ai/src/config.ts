import { IsInt, Matches, Max, Min } from 'class-validator';
import { ModelConfig } from './model/model.config';

const ORIGIN = /^https?:\/\/[^/\s,]+$/;
const originOf = { message: 'must be an http:// origin without a path' };

export class AiConfig extends ModelConfig {
  /** Origins of the services that facts are read from. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_POSITIONS: string = '';

  @Matches(ORIGIN, originOf)
  UPSTREAM_SIMULATION: string = '';

  @Matches(ORIGIN, originOf)
  UPSTREAM_MARKET_DATA: string = '';

  @Matches(ORIGIN, originOf)
  UPSTREAM_ALERTS: string = '';

  @Matches(ORIGIN, originOf)
  UPSTREAM_WHALES: string = '';

  /** Time limit for all facts of one answer, in milliseconds. Later ones are reported as missing. */
  @IsInt()
  @Min(100)
  @Max(10_000)
  FACTS_DEADLINE_MS: number = 6_000;

  /** Days that answers are kept with their question, facts and prompt. */
  @IsInt()
  @Min(1)
  @Max(3_650)
  AUDIT_DAYS: number = 30;

  /** Milliseconds between two rounds that delete old answers. */
  @IsInt()
  @Min(50)
  @Max(86_400_000)
  AUDIT_CLEAN_INTERVAL_MS: number = 600_000;
}
