import { Example, Field } from '../fields';

/** A stress scenario with its price changes. */
export class StressScenario {
  @Field.Text('What POST /v1/simulate/stress-test takes.', { example: 'march_2020' }) id!: string;

  @Field.Word(
    ['historical', 'parametric'],
    'historical: measured falls. parametric: the same change for a group of assets.',
  )
  kind!: 'historical' | 'parametric';

  @Field.Text('What happens, as text.') description!: string;
  @Field.Day('First day of the fall. Null for a parametric one.', { nullable: true }) from!: string | null;
  @Field.Day('Day of the lowest close. Null for a parametric one.', { nullable: true }) to!: string | null;

  @Field.Number(
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
  @Field.Object(() => StressScenario, 'Historical ones first, oldest first.', { list: true })
  scenarios!: StressScenario[];

  @Field.Integer('Number of scenarios.', { min: 0 }) count!: number;
}
