import { Module } from '@nestjs/common';
import { PipelineModule } from '../pipeline/pipeline.module';
import { ReceiptKeys } from './receipt-keys';
import { ReceiptKeysController } from './receipt-keys.controller';

/** The public keys of receipts. */
@Module({ imports: [PipelineModule], controllers: [ReceiptKeysController], providers: [ReceiptKeys] })
export class ReceiptKeysModule {}
