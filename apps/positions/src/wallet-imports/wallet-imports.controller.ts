import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  type Identity,
  ImportWalletsBody,
  OneWalletImport,
  WalletImportProgress,
  WalletImportQuery,
  isId,
  notFound,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import {
  CurrentIdentity,
  CurrentRequest,
  Idempotency,
  type IdempotentRequest,
  MostBodyValues,
  decodeCursor,
  pageOf,
} from '@plimsoll/service-kit';
import { requireRows } from './import-rows';
import { WalletImportsRepository } from './wallet-imports.repository';

/** A row has at least 23 bytes for each value, and a body at most 1 MiB. */
const MOST_VALUES = 50_000;

@Controller('v1/wallets/imports')
export class WalletImportsController {
  constructor(
    private readonly imports: WalletImportsRepository,
    private readonly idempotency: Idempotency,
  ) {}

  @Post()
  @MostBodyValues(MOST_VALUES)
  @Documented({
    operationId: 'importWallets',
    tag: 'Wallets',
    summary: 'Import wallets',
    description:
      'Watches up to 10,000 wallets in the background, in the order of the rows. GET /v1/wallets/imports/:id shows the progress and the rejected rows. An account has at most 3 imports that have not ended.',
    responses: [{ status: 202, description: 'The import begins.', schema: OneWalletImport }],
    errors: ['quota_reached'],
    idempotent: true,
  })
  import(
    @CurrentIdentity() { accountId, limits }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Body() { wallets, walletGroupIds: groupIds }: ImportWalletsBody,
  ): Promise<OneWalletImport> {
    requireRows(wallets);
    const contents = { wallets, cap: limits.wallets, ...(groupIds && { groupIds }) };
    return this.idempotency.respond(call, (commit) =>
      commit(async (tx) => ({
        status: 202,
        body: { walletImport: await this.imports.create(tx, accountId, contents) },
      })),
    );
  }

  @Get(':id')
  @Documented({
    operationId: 'getWalletImport',
    tag: 'Wallets',
    summary: 'Progress of an import of wallets',
    description:
      'The counts of an import, and a page of its rejected rows. An import is deleted 7 days after it ended, or earlier when the account has 20 newer ones.',
    path: { id: recordId('imp', 'Id of the import.') },
    responses: [{ status: 200, description: 'The import.', schema: WalletImportProgress }],
    errors: ['not_found'],
  })
  async progress(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Query() { limit, cursor }: WalletImportQuery,
  ): Promise<WalletImportProgress> {
    const [after = -1] = decodeCursor(cursor, ['number']) ?? [];
    const walletImport = isId('imp', id) ? await this.imports.find(accountId, id) : null;
    if (!walletImport) throw notFound('wallet import');
    const from = Math.min(Math.trunc(Number(after)), walletImport.total);
    const found = await this.imports.rejections(walletImport, limit + 1, from);
    const { items: rejections, nextCursor } = pageOf(found, limit, ({ index }) => [index]);
    return { walletImport, rejections, count: rejections.length, nextCursor };
  }
}
