import { Injectable } from '@nestjs/common';
import { Problem, decidingProbability } from '@plimsoll/contracts';
import { ChainReadError, type MarketRow } from '@plimsoll/evm';
import { type RawPosition, isReadable } from '@plimsoll/protocols';
import { FORMULAS } from '@plimsoll/protocols/math';
import { AccountSlots, within } from '@plimsoll/service-kit';
import { CorrelatedRisk } from '../bands/correlated-risk';
import type { RecordedReader } from '../chains/chain-connection';
import { ChainsService } from '../chains/chains.service';
import { idOf, isMarketOf } from '../figures/position-key';
import {
  type ContentWithResults,
  type RecordedPosition,
  formulaContent,
  receiptContent,
} from './receipt-content';
import { SharedReaders } from './shared-readers';

const DEADLINE_MS = 5_000;
/** A reading without a layout makes many calls. */
const AT_ONCE = { total: 4, perAccount: 1 };

/** A position as it was read again, with the content of its receipt. */
export interface PositionWithContent extends ContentWithResults {
  position: RawPosition;
}

/** Reads positions again at the block of their figures, with every call. */
@Injectable()
export class ReceiptReader {
  private readonly shared = new SharedReaders();

  constructor(
    private readonly chains: ChainsService,
    private readonly slots: AccountSlots,
    private readonly correlatedRisk: CorrelatedRisk,
  ) {}

  /**
   * @param figure whose block is read
   * @throws not_found for a closed position; upstream_unavailable when the block cannot be read again
   */
  async read(accountId: string, figure: RawPosition): Promise<PositionWithContent> {
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

  private async readAgain(figure: RawPosition): Promise<PositionWithContent> {
    try {
      return await this.contentOf(figure);
    } catch (error) {
      if (error instanceof ChainReadError) throw unavailable(figure, error.code, error);
      throw error;
    }
  }

  /** A recording that is shared has calls for other wallets. Only a formula distinguishes those of this position. */
  private async contentOf(figure: RawPosition): Promise<PositionWithContent> {
    const { protocol, chainId, market, blockHash } = figure;
    const { wallet, subId } = figure;
    const isWanted = (row: MarketRow): boolean => isMarketOf(row, figure);
    const shared = this.hasFormula(figure)
      ? this.shared.of(`${protocol} ${chainId} ${market}`, () => this.chains.recordedMarket(isWanted))
      : null;
    if (shared) {
      const reading = await this.readOver(await shared.at(blockHash), figure);
      await shared.complete(subId, reading);
      const made = formulaContent(reading);
      if (made) shared.keep(subId, wallet, made.content.calls);
      if (made) return { ...made, position: reading.position };
    }
    const reading = await this.readOver(await this.chains.recordedReader(isWanted, blockHash), figure);
    const made = receiptContent(reading);
    if (made.content.formula) shared?.keep(subId, wallet, made.content.calls);
    return { ...made, position: reading.position };
  }

  private hasFormula(figure: RawPosition): boolean {
    const rows = this.chains.all().flatMap(({ markets }) => markets.map(({ reader }) => reader.row));
    return rows.some((row) => isMarketOf(row, figure) && Object.hasOwn(FORMULAS, row.family));
  }

  private async readOver(recorded: RecordedReader | null, figure: RawPosition): Promise<RecordedPosition> {
    if (!recorded) throw unavailable(figure, 'block_gone');
    const { reader, block, recording } = recorded;
    await this.chains.prepareReads(figure.chainId, [figure.wallet], block);
    const read = await reader.readPositions([figure.wallet], block);
    const position = read.positions.find((each) => idOf(each) === idOf(figure));
    if (position && isReadable(position)) {
      const probability7d = decidingProbability(
        position.healthFactorRaw,
        this.correlatedRisk.probability7d(position),
      );
      return { row: reader.row, block, position, recording, probability7d };
    }
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
