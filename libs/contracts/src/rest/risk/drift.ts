import { ValidateBy } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Field } from '../fields';

/** Price trends that a request can name. A number is a trend of its own. */
export const DRIFTS = ['none', 'historical'] as const;

/** Largest growth of the log price per year that a request may give. */
export const MAX_DRIFT = 10;

/** none, historical, or the yearly growth of the log price of every asset except stable coins. */
export type Drift = (typeof DRIFTS)[number] | number;

const isDrift = (value: unknown): boolean =>
  typeof value === 'number' ? Math.abs(value) <= MAX_DRIFT : DRIFTS.some((name) => name === value);

/** Validates a price trend. Field code: `is_drift`. */
export function IsDrift(): PropertyDecorator {
  return (target, property) => {
    ValidateBy({
      name: 'isDrift',
      validator: {
        validate: isDrift,
        defaultMessage: () =>
          `$property must be none, historical or a number a year from -${MAX_DRIFT} to ${MAX_DRIFT}`,
      },
    })(target, property as string);
    // The function replaces the schema of the property's type, which is empty for a union.
    JSONSchema(() => ({
      description:
        'Trend of prices. The default is none: the median price stays the same. historical: the mean daily change of the log price over the history window. A number: yearly growth of the log price of every asset except stable coins.',
      oneOf: [
        { type: 'string', enum: [...DRIFTS] },
        { type: 'number', minimum: -MAX_DRIFT, maximum: MAX_DRIFT },
      ],
    }))(target, property as string);
  };
}

class DriftBasisDrift {
  @Field.Word(
    ['none', 'historical', 'given'],
    'none: the median price stays the same. historical: as in the history window. given: from the request.',
  )
  method!: 'none' | 'historical' | 'given';

  @Field.Number(
    'Yearly growth of the log price by price symbol. 0 for each under none. Empty without debt.',
    {
      map: true,
    },
  )
  annualised!: Record<string, number>;
}

/** The price trend of a probability. */
export class DriftBasis {
  @Field.Object(() => DriftBasisDrift, 'Trend of prices behind the probability.') drift!: DriftBasisDrift;
}
