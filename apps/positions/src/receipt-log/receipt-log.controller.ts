import { Controller, Get, Query } from '@nestjs/common';
import {
  ListReceiptRootsQuery,
  Problem,
  ReceiptConsistency,
  ReceiptConsistencyQuery,
  ReceiptInclusion,
  ReceiptInclusionQuery,
  ReceiptRootList,
  invalidRequest,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { type LogRoot, type Range, consistencyRanges, inclusionRanges } from '@plimsoll/receipts';
import { decodeCursor, pageOf } from '@plimsoll/service-kit';
import { ReceiptLog } from './receipt-log';
import { ReceiptRoots } from './receipt-roots';

const ANCHORED_SIZE = {
  field: 'anchored',
  code: 'unexpected',
  message: 'Name either size or anchored.',
};
const TOO_SMALL = { field: 'later', code: 'out_of_range', message: 'later must be at least earlier.' };

@Controller('v1/receipts')
export class ReceiptLogController {
  constructor(
    private readonly log: ReceiptLog,
    private readonly roots: ReceiptRoots,
  ) {}

  @Get('roots')
  @Documented({
    operationId: 'listReceiptRoots',
    tag: 'Positions',
    summary: 'Signed roots of the log of receipts',
    description:
      'Every receipt is a leaf of one Merkle tree (RFC 6962) that only grows. Its root is signed and published every hour, from the first receipt on. A root that you keep proves later that no receipt before it was changed or removed.',
    responses: [{ status: 200, description: 'A page of roots.', schema: ReceiptRootList }],
  })
  async list(@Query() { limit, cursor }: ListReceiptRootsQuery): Promise<ReceiptRootList> {
    const [before] = decodeCursor(cursor, ['time']) ?? [];
    const found = await this.roots.list(limit + 1, before === undefined ? null : new Date(before));
    const { items, nextCursor } = pageOf(found, limit, ({ signature }) => [signature.signedAt]);
    return { roots: items, count: items.length, nextCursor };
  }

  @Get('inclusion')
  @Documented({
    operationId: 'getReceiptInclusion',
    tag: 'Positions',
    summary: 'Proof that a receipt was logged',
    description:
      'The place of a receipt in the log and the hashes that give a signed root together with it, also after the 90 days of the receipt. The root is the first one that has the receipt, so its time of signing shows when the receipt was logged. The leaf can be computed by anyone who has the receipt, and by no one else. A receipt is in the first root that is signed after it, at most an hour later.',
    responses: [{ status: 200, description: 'The proof.', schema: ReceiptInclusion }],
    errors: ['not_found'],
  })
  async inclusion(@Query() { leaf, size, anchored }: ReceiptInclusionQuery): Promise<ReceiptInclusion> {
    if (size !== undefined && anchored) throw invalidRequest([ANCHORED_SIZE]);
    const named = size === undefined ? null : await this.rootOf(size);
    const index = await this.log.indexOf(Buffer.from(leaf, 'hex'));
    const root = named ?? (index === null ? null : await this.roots.firstWith(index, anchored === 'true'));
    if (index === null || !root || index >= root.size)
      throw new Problem(
        'not_found',
        anchored
          ? 'No root on a chain has this receipt. A root is written within minutes, unless fees are too high or the operator writes none.'
          : 'No root has this receipt. A new receipt is in the next root, at most an hour after it was signed.',
      );
    return { index, root, proof: await this.proof(inclusionRanges(index, root.size)) };
  }

  @Get('consistency')
  @Documented({
    operationId: 'getReceiptConsistency',
    tag: 'Positions',
    summary: 'Proof that the log of receipts only grew',
    description:
      'The hashes that give both roots. With them, you verify that the later log begins with every receipt of the earlier one, unchanged and in the same order.',
    responses: [{ status: 200, description: 'The proof.', schema: ReceiptConsistency }],
    errors: ['not_found'],
  })
  async consistency(@Query() query: ReceiptConsistencyQuery): Promise<ReceiptConsistency> {
    const [earlier, later] = [await this.rootOf(query.earlier), await this.rootOf(query.later)];
    if (earlier.size > later.size) throw invalidRequest([TOO_SMALL]);
    return { earlier, later, proof: await this.proof(consistencyRanges(earlier.size, later.size)) };
  }

  /** @throws not_found */
  private async rootOf(size: number | undefined): Promise<LogRoot> {
    const root = await this.roots.find(size);
    if (root) return root;
    throw new Problem(
      'not_found',
      size === undefined
        ? 'No root is published yet. The first one follows at most an hour after the first receipt.'
        : `No root has the size ${size}. GET /v1/receipts/roots lists the roots with their sizes.`,
    );
  }

  private async proof(ranges: readonly Range[]): Promise<string[]> {
    const roots = await this.log.roots(ranges);
    return roots.map((hash) => Buffer.from(hash).toString('hex'));
  }
}
