import { BANDS, type Band } from '../../risk/bands';
import { Field } from '../fields';
import {
  ReceiptBlock,
  ReceiptFormula,
  ReceiptInput,
  ReceiptOutputs,
  ReceiptPosition,
  ReceiptPrice,
} from './receipts';

export class CrossingReading {
  @Field.Object(() => ReceiptBlock, 'Block of the reading.') block!: ReceiptBlock;
  @Field.Object(() => ReceiptPrice, 'Prices by the oracles of the protocol.', { list: true })
  prices!: ReceiptPrice[];

  @Field.Object(() => ReceiptInput, 'Amounts of the position.', { list: true }) inputs!: ReceiptInput[];
  @Field.Object(() => ReceiptOutputs, 'The figures.') outputs!: ReceiptOutputs;
  @Field.Word(BANDS, 'Level of these figures, without hysteresis.') level!: Band;

  @Field.Digits(
    'Probability of liquidation within 7 days, with 18 decimals, where it decides the level. It is not proved. Null: the health factor decides.',
    { nullable: true },
  )
  probability7d!: string | null;
}

export class CrossingReceiptContent {
  @Field.Integer('Version of the form: 1.', { min: 1 }) version!: 1;
  @Field.Word(['crossing'], 'Kind of the receipt.') kind!: 'crossing';
  @Field.Text('Release that made the readings.') build!: string;
  @Field.Integer('Chain id (EIP-155).', { min: 1 }) chainId!: number;
  @Field.Object(() => ReceiptPosition, 'The position.') position!: ReceiptPosition;

  @Field.Text('Contracts of the market by name, in lower case.', { pattern: '^0x[0-9a-f]{40}$', map: true })
  contracts!: Record<string, string>;

  @Field.Object(
    () => ReceiptFormula,
    'Formula that gives the figures of both readings from calls at their blocks. Null: none is published for this position, and the figures are only signed.',
    { nullable: true },
  )
  formula!: ReceiptFormula | null;

  @Field.Object(() => CrossingReading, 'Reading of the last event before. Null: there was none.', {
    nullable: true,
  })
  before!: CrossingReading | null;

  @Field.Object(() => CrossingReading, 'Reading of the change.') after!: CrossingReading;
}
