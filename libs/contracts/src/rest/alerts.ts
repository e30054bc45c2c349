import { IsIn, IsOptional } from 'class-validator';
import type { AlertType, Severity } from '../alerts';
import { PageQuery } from './paging';

/** Query of GET /v1/alerts. */
export class ListAlertsQuery extends PageQuery {
  /** Both when absent. */
  @IsOptional()
  @IsIn(['active', 'resolved'])
  status?: 'active' | 'resolved';
}

/** Alert of the REST API (api-v1.md, Alert). */
export interface AlertItem {
  id: string;
  type: AlertType;
  severity: Severity;
  title: string;
  message: string;
  status: 'active' | 'resolved';
  positionId: string | null;
  createdAt: string;
  resolvedAt: string | null;
}

/** Answer of GET /v1/alerts. */
export interface AlertList {
  alerts: AlertItem[];
  nextCursor: string | null;
}
