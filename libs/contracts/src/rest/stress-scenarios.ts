import { type Static, Type } from '@sinclair/typebox';
import { nullable, oneOf, utcDay } from './fields';

/** A stress scenario with its price changes. */
export const StressScenario = Type.Object({
  id: Type.String({ description: 'What POST /v1/simulate/stress-test takes.', examples: ['march_2020'] }),
  kind: oneOf(['historical', 'parametric'] as const, {
    description: 'historical: measured falls. parametric: the same change for a group of assets.',
  }),
  description: Type.String({ description: 'What happens, as text.' }),
  from: nullable(utcDay('A day.'), 'First day of the fall. Null for a parametric one.'),
  to: nullable(utcDay('A day.'), 'Day of the lowest close. Null for a parametric one.'),
  shocks: Type.Record(Type.String(), Type.Number(), {
    description:
      'Price change by asset, percent. Empty for a parametric one. Assets without an entry: staking tokens and wrapped assets move with their underlying asset, other volatile assets move 1.3 times ETH (at most −95), stable coins 0.',
  }),
});
export type StressScenario = Static<typeof StressScenario>;

/** Response of GET /v1/simulate/scenarios. */
export const StressScenarioList = Type.Object({
  scenarios: Type.Array(StressScenario, { description: 'Historical ones first, oldest first.' }),
  count: Type.Integer({ minimum: 0, description: 'Number of scenarios.' }),
});
export type StressScenarioList = Static<typeof StressScenarioList>;
