import { Field } from '../fields';
import { ReceiptBlock } from './receipts';

class ForecastPosition {
  @Field.Id('pos', 'Id of the position.') id!: string;
  @Field.Text('Protocol id.', { example: 'aave-v3' }) protocol!: string;
  @Field.Text('Market in the protocol.') market!: string;
  @Field.Text('Part of the market. Empty: it has one position for a wallet.') subId!: string;
  @Field.Text('Wallet, in lower case.', { pattern: '^0x[0-9a-f]{40}$' }) wallet!: string;
}

class ForecastModelName {
  @Field.Text('Its name.', { example: 'fhs' }) name!: string;
  @Field.Text('Its version.', { example: '2' }) version!: string;
}

class StatedForecast {
  @Field.Integer('Horizon, days.', { min: 1 }) horizonDays!: number;
  @Field.Integer('Unix milliseconds of its end.', { min: 0 }) expiresAt!: number;
  @Field.Digits('Probability that the position becomes liquidatable, with 18 decimals.') probability!: string;
  @Field.Digits('Its standard error, with 18 decimals.') standardError!: string;
}

export class ForecastReceiptContent {
  @Field.Integer('Version of the form: 1.', { min: 1 }) version!: 1;
  @Field.Word(['forecast'], 'Kind of the receipt.') kind!: 'forecast';
  @Field.Text('Release that made the forecasts.') build!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Object(() => ForecastPosition, 'The position.') position!: ForecastPosition;
  @Field.Object(() => ReceiptBlock, 'Block of the amounts and prices.') block!: ReceiptBlock;
  @Field.Digits('Health factor at the block, with 18 decimals.') healthFactor!: string;
  @Field.Object(() => ForecastModelName, 'The model.') model!: ForecastModelName;
  @Field.Integer('Unix milliseconds at which the forecasts were made.', { min: 0 }) madeAt!: number;
  @Field.Object(() => StatedForecast, 'One for each horizon.', { list: true }) forecasts!: StatedForecast[];
}
