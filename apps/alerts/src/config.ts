import { EventServiceConfig, IsIntegerIn, IsOrigin } from '@plimsoll/service-kit';
import { IsNumber, Max, Min } from 'class-validator';

export class AlertsConfig extends EventServiceConfig {
  static override readonly service = 'alerts';

  /** Milliseconds between two polls for alerts whose cooldown has ended. */
  @IsIntegerIn(10)
  DUE_POLL_MS: number = 1_000;

  /** Days for which previews of rules can use one state a minute of each position. */
  @IsIntegerIn(1, 30)
  HISTORY_DAYS: number = 30;

  /** Origin of the positions service, which returns the position of a rule. */
  @IsOrigin()
  UPSTREAM_POSITIONS: string = '';

  /** Origin of the webhook-delivery service, which returns the endpoint of a rule. */
  @IsOrigin()
  UPSTREAM_WEBHOOK_DELIVERY: string = '';

  /** Origin of the simulation service, which returns risk score and liquidation probability for rules. */
  @IsOrigin()
  UPSTREAM_SIMULATION: string = '';

  /** Origin of the execution service, which checks a new rule that executes. */
  @IsOrigin()
  UPSTREAM_EXECUTION: string = '';

  /** Milliseconds between two requests for the risk of a position with a rule. */
  @IsIntegerIn(10)
  RISK_POLL_MS: number = 15_000;

  /**
   * Percent by which the price of an asset must move to open an alert. A move of twice as much has severity
   * high.
   */
  @IsNumber()
  @Min(0.1)
  @Max(100)
  PRICE_MOVE_PERCENT: number = 10;

  /** Minutes within which the price must move that much. */
  @IsIntegerIn(5, 1_440)
  PRICE_MOVE_WINDOW_MINUTES: number = 60;

  /** Milliseconds between two polls for assets without recent prices. */
  @IsIntegerIn(10)
  SILENCE_POLL_MS: number = 5_000;

  /**
   * Milliseconds that a process must have consumed Kafka before missing prices count, because it may have a
   * backlog.
   */
  @IsIntegerIn(0)
  SILENCE_GRACE_MS: number = 120_000;

  /** Milliseconds between two polls for alerts about oracles that must open or resolve. */
  @IsIntegerIn(10)
  ORACLE_POLL_MS: number = 2_000;

  /** Milliseconds between two polls for alerts about announced changes of parameters that must open or resolve. */
  @IsIntegerIn(10)
  PARAMETER_POLL_MS: number = 5_000;

  /** Minutes for which an alert about a whale move stays active. Older moves open no alert. */
  @IsNumber()
  @Min(0.01)
  @Max(1_440)
  WHALE_ALERT_MINUTES: number = 60;

  /** A move of this many USD notifies every account with a position in its protocol on its chain. */
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  WHALE_PROTOCOL_MIN_USD: number = 10_000_000;

  /** Milliseconds between two polls for expired alerts about whale moves. */
  @IsIntegerIn(10)
  WHALE_EXPIRY_POLL_MS: number = 5_000;
}
