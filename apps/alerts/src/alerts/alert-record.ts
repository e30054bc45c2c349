import type { Band, Severity } from '@plimsoll/contracts';
import type { StandingType } from '../evaluation/standing-conditions';

/** A row of `alerts` as evaluation sees it; times in milliseconds since 1970. */
export interface AlertRecord {
  id: string;
  accountId: string;
  positionId: string;
  type: StandingType;
  severity: Severity;
  title: string;
  message: string;
  openedBand: Band;
  confidenceScore: number;
  createdAtMs: number;
  /** Null: active. */
  resolvedAtMs: number | null;
}
