import { type Static, Type } from '@sinclair/typebox';
import { oneOf, timestamp } from './fields';

/** Conditions of the platform and of its parts. */
export const CONDITIONS = ['operational', 'degraded', 'down'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Response of GET /v1/status. */
export const StatusReport = Type.Object({
  status: oneOf(CONDITIONS, {
    description: 'Condition of the platform. degraded: at least one part has a problem.',
  }),
  version: Type.String({
    pattern: '^\\d+\\.\\d+\\.\\d+$',
    description: 'Version of the service: major.minor.patch.',
  }),
  timestamp: timestamp('Time of this status.'),
  services: Type.Record(Type.String(), oneOf(CONDITIONS), {
    description: 'Condition of each part, by name.',
  }),
});
export type StatusReport = Static<typeof StatusReport>;
