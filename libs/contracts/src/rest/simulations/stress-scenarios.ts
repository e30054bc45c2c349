import { DayField, IntegerField, NumberField, ObjectField, TextField, WordField } from '../fields/fields';
import { Example } from '../fields/response-schema';

/** A stress scenario with its price changes. */
export class StressScenario {
  @TextField('What POST /v1/simulate/stress-test takes.', { example: 'march_2020' }) id!: string;

  @WordField(
    ['historical', 'parametric'],
    'historical: measured falls. parametric: the same change for a group of assets.',
  )
  kind!: 'historical' | 'parametric';

  @TextField('What happens, as text.') description!: string;
  @DayField('First day of the fall. Null for a parametric one.', { nullable: true }) from!: string | null;
  @DayField('Day of the lowest close. Null for a parametric one.', { nullable: true }) to!: string | null;

  @NumberField(
    'Price change by asset, percent. Empty for a parametric one. Assets without an entry: staking tokens and wrapped assets move with their underlying asset, other volatile assets move 1.3 times ETH (at most −95), stable coins 0.',
    { map: true },
  )
  shocks!: Record<string, number>;
}

/** Response of GET /v1/simulate/scenarios. */
@Example({
  scenarios: [
    {
      id: 'ftx_2022',
      kind: 'historical',
      description: 'November 2022: FTX fails',
      from: '2022-11-05',
      to: '2022-11-10',
      shocks: { BTC: -25.2, ETH: -32.2 },
    },
  ],
  count: 1,
})
export class StressScenarioList {
  @ObjectField(() => StressScenario, 'Historical ones first, oldest first.', { list: true })
  scenarios!: StressScenario[];

  @IntegerField('Number of scenarios.', { min: 0 }) count!: number;
}
