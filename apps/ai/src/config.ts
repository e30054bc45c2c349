import { IsDays, IsIntegerIn, IsOrigin } from '@plimsoll/service-kit';
import { ModelConfig } from './model/model.config';

export class AiConfig extends ModelConfig {
  static override readonly service = 'ai';

  /** Origin of positions, for its facts. */
  @IsOrigin()
  UPSTREAM_POSITIONS: string = '';

  /** Origin of simulation, for its facts. */
  @IsOrigin()
  UPSTREAM_SIMULATION: string = '';

  /** Origin of market-data, for its facts. */
  @IsOrigin()
  UPSTREAM_MARKET_DATA: string = '';

  /** Origin of alerts, for its facts. */
  @IsOrigin()
  UPSTREAM_ALERTS: string = '';

  /** Origin of whales, for its facts. */
  @IsOrigin()
  UPSTREAM_WHALES: string = '';

  /** Time limit for all facts of one answer, in milliseconds. Later ones are reported as missing. */
  @IsIntegerIn(100, 10_000)
  FACTS_DEADLINE_MS: number = 6_000;

  /** Days for which answers are stored with their question, facts and prompt. */
  @IsDays()
  AUDIT_DAYS: number = 30;

  /** Milliseconds between two rounds that delete old answers. */
  @IsIntegerIn(50, 86_400_000)
  AUDIT_CLEAN_INTERVAL_MS: number = 600_000;
}
