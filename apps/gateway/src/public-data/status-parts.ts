import type { Condition } from '@plimsoll/contracts';
import { conditionOf } from '../edge/status';

/** All parts together. */
export const PLATFORM = 'platform';

/** The condition of each part that is no chain, by its id in the records. */
export const conditionsByPart = (
  services: Readonly<Record<string, Condition>>,
): Record<string, Condition> & Record<typeof PLATFORM, Condition> => ({
  [PLATFORM]: conditionOf(Object.values(services)),
  // It responds.
  gateway: 'operational',
  ...services,
});

/** The id of a chain in the records. */
export const chainPart = (id: number): string => `chain:${id}`;
