import { TextField, TimestampField, WordField } from '../fields/fields';
import { Example } from '../fields/response-schema';
import { TIMESTAMP } from '../fields/samples';

/** Conditions of the platform and of its parts. */
export const CONDITIONS = ['operational', 'degraded', 'down'] as const;

export type Condition = (typeof CONDITIONS)[number];

/** Response of GET /v1/status. */
@Example({
  status: 'operational',
  version: '1.4.0',
  timestamp: TIMESTAMP,
  services: { positions: 'operational', alerts: 'operational' },
})
export class StatusReport {
  @WordField(CONDITIONS, 'Condition of the platform. degraded: at least one part has a problem.')
  status!: Condition;

  @TextField('Version of the service: major.minor.patch.', { pattern: '^\\d+\\.\\d+\\.\\d+$' })
  version!: string;

  @TimestampField('Time of this status.') timestamp!: string;

  @WordField(CONDITIONS, 'Condition of each part, by name.', { map: true })
  services!: Record<string, Condition>;
}
