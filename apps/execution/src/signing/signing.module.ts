import { Module } from '@nestjs/common';
import { KeyStore } from './key-store';
import { LocalKeyStore } from './local-key-store';

/** The service's key. */
@Module({
  providers: [{ provide: KeyStore, useClass: LocalKeyStore }],
  exports: [KeyStore],
})
export class SigningModule {}
