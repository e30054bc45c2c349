import type { AdvanceClockBody, ShockBody, TestWhaleBody } from '@plimsoll/contracts';

/** An action of a user on a test market, as it is recorded. */
export type MarketAction =
  | ({ kind: 'clock' } & AdvanceClockBody)
  | ({ kind: 'shock' } & ShockBody)
  | ({ kind: 'whale' } & TestWhaleBody);
