import { type Static, Type } from '@sinclair/typebox';
import { oneOf, timestamp } from './fields';

/** Conditions of the platform and of its parts. */
export const CONDITIONS = ['operational', 'degraded', 'down'] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Response of GET /v1/status. */
export const StatusReport = Type.Object({
  status: oneOf(CONDITIONS, { description: 'Condition of the whole; degraded: a part is not well.' }),
  version: Type.String({
    pattern: '^\\d+\\.\\d+\\.\\d+$',
    description: 'Version of the service: major.minor.patch.',
  }),
  timestamp: timestamp('When this was said.'),
  services: Type.Record(Type.String(), oneOf(CONDITIONS), {
    description: 'Condition of each part, by name.',
  }),
});
export type StatusReport = Static<typeof StatusReport>;
