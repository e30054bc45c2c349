import { Inject, Injectable } from '@nestjs/common';
import { type SecretBox, SecretKeysWatch, openSecretBox } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { PositionsConfig } from '../config';
import { ReceiptKeyStore } from './receipt-keys';

const VARIABLE = 'RECEIPT_SECRET_KEYS';

/** The box of the private keys of receipts. */
export class ReceiptSecrets {
  /** @param box null: RECEIPT_SECRET_KEYS is not set */
  constructor(readonly box: SecretBox | null) {}

  static async open({ RECEIPT_SECRET_KEYS, SECRET_KEYS_KMS }: ReceiptSecretKeys): Promise<ReceiptSecrets> {
    const isSet = RECEIPT_SECRET_KEYS !== '';
    return new ReceiptSecrets(
      isSet ? await openSecretBox(RECEIPT_SECRET_KEYS, VARIABLE, SECRET_KEYS_KMS) : null,
    );
  }
}

type ReceiptSecretKeys = Pick<PositionsConfig, 'RECEIPT_SECRET_KEYS' | 'SECRET_KEYS_KMS'>;

/** Requires the keys of all private keys that may sign, because receipts would fail without one. */
@Injectable()
export class ReceiptSecretKeysWatch extends SecretKeysWatch {
  private readonly keys: ReceiptKeyStore | null;

  constructor(config: PositionsConfig, @Inject(Pool) pool: Pool, { box }: ReceiptSecrets) {
    super(box, config);
    this.keys = box && new ReceiptKeyStore(pool, box);
  }

  protected async inUse(): Promise<string[]> {
    return (await this.keys?.secretKeyIds(Date.now())) ?? [];
  }
}
