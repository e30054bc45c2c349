import { Example, Field, TIMESTAMP } from '../fields';

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
  @Field.Word(CONDITIONS, 'Condition of the platform. degraded: at least one part has a problem.')
  status!: Condition;

  @Field.Text('Version of the service: major.minor.patch.', { pattern: '^\\d+\\.\\d+\\.\\d+$' })
  version!: string;

  @Field.Timestamp('Time of this status.') timestamp!: string;

  @Field.Word(CONDITIONS, 'Condition of each part, by name.', { map: true })
  services!: Record<string, Condition>;
}
