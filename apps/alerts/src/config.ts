import { EventServiceConfig } from '@plimsoll/service-kit';
import { IsInt, IsNumber, Matches, Max, Min } from 'class-validator';

const ORIGIN = /^https?:\/\/[^/\s,]+$/;
const originOf = { message: 'must be an http:// origin without a path' };

export class AlertsConfig extends EventServiceConfig {
  /** Milliseconds between two looks for alerts whose cooldown has ended. */
  @IsInt()
  @Min(10)
  DUE_POLL_MS: number = 1_000;

  /** Days for which one state a minute of each position is kept, for previews of rules. */
  @IsInt()
  @Min(1)
  @Max(30)
  HISTORY_DAYS: number = 30;

  /** Origin of the positions service: a rule's position is looked up there. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_POSITIONS: string = '';

  /** Origin of the webhook-delivery service: a rule's endpoint is looked up there. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_WEBHOOK_DELIVERY: string = '';

  /** Origin of the simulation service: rules on risk score and liquidation probability get their figures there. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_SIMULATION: string = '';

  /** Origin of the execution service: whether a rule that executes could is asked there when it is made. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_EXECUTION: string = '';

  /** Milliseconds between two questions for the risk of a position that a rule looks at. */
  @IsInt()
  @Min(10)
  RISK_POLL_MS: number = 15_000;

  /** Percent by which the price of an asset must move to be told; from twice as much on it is severe. */
  @IsNumber()
  @Min(0.1)
  @Max(100)
  PRICE_MOVE_PERCENT: number = 10;

  /** Minutes within which it must have moved by so much. */
  @IsInt()
  @Min(5)
  @Max(1_440)
  PRICE_MOVE_WINDOW_MINUTES: number = 60;

  /** Milliseconds between two looks for assets of which no price comes any more. */
  @IsInt()
  @Min(10)
  SILENCE_POLL_MS: number = 5_000;

  /** Milliseconds that a process must have listened to Kafka before silence counts: it may have prices to catch up on. */
  @IsInt()
  @Min(0)
  SILENCE_GRACE_MS: number = 120_000;

  /** Minutes for which an alert about a move of a whale stands; older moves are not told. */
  @IsNumber()
  @Min(0.01)
  @Max(1_440)
  WHALE_ALERT_MINUTES: number = 60;

  /** A move of so many USD is told to everyone with a position in its protocol, on its chain. */
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  WHALE_PROTOCOL_MIN_USD: number = 10_000_000;

  /** Milliseconds between two looks for alerts about moves that are some time ago. */
  @IsInt()
  @Min(10)
  WHALE_EXPIRY_POLL_MS: number = 5_000;
}
