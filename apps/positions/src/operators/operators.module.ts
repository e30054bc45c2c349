import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { VerificationModule } from '../verification/verification.module';
import { MismatchKeeper } from './mismatch-keeper';

/** Alerts for operators. */
@Module({ imports: [ChainsModule, VerificationModule], providers: [MismatchKeeper] })
export class OperatorsModule {}
