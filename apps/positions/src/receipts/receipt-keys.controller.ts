import { Controller, Get, Inject } from '@nestjs/common';
import { WithoutIdentity } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { type PublishedKey, publishedKeys } from '../receipt-signing/receipt-keys';

/** The public keys of receipts. The gateway serves them to everyone. */
@Controller('.well-known/plimsoll-keys.json')
@WithoutIdentity()
export class ReceiptKeysController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  async list(): Promise<{ keys: PublishedKey[] }> {
    return { keys: await publishedKeys(this.pool) };
  }
}
