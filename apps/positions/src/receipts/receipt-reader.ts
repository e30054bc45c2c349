import { Injectable } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { ChainReadError } from '@plimsoll/evm';
import { type RawPosition, isReadable } from '@plimsoll/protocols';
import { AccountSlots, within } from '@plimsoll/service-kit';
import { ChainsService } from '../chains/chains.service';
import { idOf, isMarketOf } from '../figures/position-key';
import type { RecordedPosition } from './receipt-content';

const DEADLINE_MS = 5_000;
/** A reading without a layout makes many calls. */
const AT_ONCE = { total: 4, perAccount: 1 };

/** Reads positions again at the block of their figures, with every call. */
@Injectable()
export class ReceiptReader {
  constructor(
    private readonly chains: ChainsService,
    private readonly slots: AccountSlots,
  ) {}

  /**
   * @param figure whose block is read
   * @throws not_found for a closed position; upstream_unavailable when the block cannot be read again
   */
  async read(accountId: string, figure: RawPosition): Promise<RecordedPosition> {
    const release = await this.slots.acquireShared(
      'receipts',
      AT_ONCE,
      accountId,
      AbortSignal.timeout(DEADLINE_MS),
    );
    // The slot is taken until the calls end, which may be after the deadline.
    const work = this.readAgain(figure).finally(release);
    return within(
      DEADLINE_MS,
      work,
      () => new Problem('upstream_timeout', `${again(figure)} within ${DEADLINE_MS / 1_000} s. ${NEXT}`),
    );
  }

  private async readAgain(figure: RawPosition): Promise<RecordedPosition> {
    try {
      return await this.readAt(figure);
    } catch (error) {
      if (error instanceof ChainReadError) throw unavailable(figure, error.code, error);
      throw error;
    }
  }

  private async readAt(figure: RawPosition): Promise<RecordedPosition> {
    const recorded = await this.chains.recordedReader((row) => isMarketOf(row, figure), figure.blockHash);
    if (!recorded) throw unavailable(figure, 'block_gone');
    const { reader, block, recording } = recorded;
    await this.chains.prepareReads(figure.chainId, [figure.wallet], block);
    const read = await reader.readPositions([figure.wallet], block);
    const position = read.positions.find((each) => idOf(each) === idOf(figure));
    if (position && isReadable(position)) return { row: reader.row, block, position, recording };
    const reason = position?.unreadable ?? read.unreadable[0]?.reason;
    if (position || reason !== undefined) throw unavailable(figure, reason ?? 'unpriced');
    throw new Problem(
      'not_found',
      `The position was closed at block ${figure.blockNumber}, so it has no receipt. Request it without receipt.`,
    );
  }
}

const NEXT = 'Send the request again: its figures are then of a newer block.';

function again({ blockNumber, chainId }: RawPosition): string {
  return `The position could not be read again at block ${blockNumber} of chain ${chainId}`;
}

function unavailable(figure: RawPosition, reason: string, cause?: unknown): Problem {
  return new Problem(
    'upstream_unavailable',
    `${again(figure)} (${reason}). The node may have removed the state of this block. ${NEXT}`,
    { headers: { 'retry-after': '2' }, cause },
  );
}
