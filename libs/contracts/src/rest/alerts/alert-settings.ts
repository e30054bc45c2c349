import { IsNumber, Max, Min } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, Optional } from '../fields';

const SETTINGS = { minUsd: 10, targetHealthFactor: 1.5 };

/** Body of PATCH /v1/alerts/settings. */
@Example({ minUsd: 25 })
export class ChangeAlertSettingsBody {
  @JSONSchema({
    description:
      'Positions whose collateral and debt are both below this value open no alert. USD. The default is 10.',
  })
  @Optional()
  @IsNumber({ allowInfinity: false, allowNaN: false })
  @Min(0)
  @Max(1_000_000)
  minUsd?: number;

  @JSONSchema({
    description: 'Health factor that the suggested repayments and deposits reach. The default is 1.5.',
  })
  @Optional()
  @IsNumber({ allowInfinity: false, allowNaN: false })
  @Min(1.05)
  @Max(10)
  targetHealthFactor?: number;
}

/** Response of GET and PATCH /v1/alerts/settings. */
@Example(SETTINGS)
export class AlertSettings {
  @Field.Usd('Positions whose collateral and debt are both below this value open no alert.') minUsd!: number;
  @Field.Number('Health factor that the suggested repayments and deposits reach.')
  targetHealthFactor!: number;
}
