import { Module } from '@nestjs/common';
import { ReceiptSigner } from './receipt-signer';

/** The keys of receipts, and what they sign. */
@Module({ providers: [ReceiptSigner], exports: [ReceiptSigner] })
export class ReceiptSigningModule {}
