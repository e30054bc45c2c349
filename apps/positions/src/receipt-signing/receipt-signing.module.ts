import { Module } from '@nestjs/common';
import { PositionsConfig } from '../config';
import { ReceiptSecretKeysWatch, ReceiptSecrets } from './receipt-secrets';
import { ReceiptSigner } from './receipt-signer';

/** The keys of receipts, and what they sign. */
@Module({
  providers: [
    {
      provide: ReceiptSecrets,
      inject: [PositionsConfig],
      useFactory: (config: PositionsConfig) => ReceiptSecrets.open(config),
    },
    ReceiptSecretKeysWatch,
    ReceiptSigner,
  ],
  exports: [ReceiptSigner],
})
export class ReceiptSigningModule {}
