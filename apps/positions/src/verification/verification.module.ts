import { Module } from '@nestjs/common';
import { MismatchStore } from './mismatch-store';
import { VerdictWatch } from './verdict-watch';

/** Reports figures that differ from the contract's. */
@Module({ providers: [MismatchStore, VerdictWatch], exports: [MismatchStore, VerdictWatch] })
export class VerificationModule {}
