import { Example, Field, Optional, exampleOf } from '../fields';
import { declareField } from '../fields/field';
import { CrossingReceiptContent } from './crossing-receipt';
import { ForecastReceiptContent } from './forecast-receipt';
import { PositionReceipt, ReceiptContent, ReceiptSignature } from './receipts';
import { SimulationReceiptContent, SimulationReceiptData } from './simulation-receipt';

/** Response of GET /v1/receipts/:hash: a receipt of any kind. */
@Example(exampleOf(PositionReceipt) as object)
export class StoredReceipt {
  @declareField({
    schema: {},
    forms: () => [ReceiptContent, SimulationReceiptContent, CrossingReceiptContent, ForecastReceiptContent],
    checks: [],
    description: 'The signed part. `kind` distinguishes its forms.',
    options: {},
  })
  content!: ReceiptContent | SimulationReceiptContent | CrossingReceiptContent | ForecastReceiptContent;

  @Optional()
  @Field.Object(() => SimulationReceiptData, 'The prices of a simulation. Absent for other kinds.')
  data?: SimulationReceiptData;

  @Field.Text('SHA-256 of the canonical JSON (RFC 8785) of the content.', { pattern: '^[0-9a-f]{64}$' })
  hash!: string;

  // An earlier document had it, and clients may name it.
  @Optional()
  @Field.Text('Absent: results of calls are only in the response that made the receipt.', { list: true })
  results?: string[];

  @Field.Object(() => ReceiptSignature, 'Our signature.') signature!: ReceiptSignature;
}
