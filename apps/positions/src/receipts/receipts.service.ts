import { Injectable } from '@nestjs/common';
import {
  type PositionReceipt,
  Problem,
  type ReceiptForm,
  type StoredReceipt,
  invalidRequest,
  notFound,
} from '@plimsoll/contracts';
import type { RawPosition } from '@plimsoll/protocols';
import {
  type ForecastContent,
  type Json,
  wrongUnsignedForecastPart,
  wrongUnsignedSimulationPart,
} from '@plimsoll/receipts';
import { Clock } from '@plimsoll/service-kit';
import { ReceiptReader } from './receipt-reader';
import { ReceiptSigner } from '../receipt-signing/receipt-signer';
import { ReceiptsRepository } from './receipts.repository';

const HASH = /^[0-9a-f]{64}$/;
/** Accounts that watch the wallet may read its receipts. */
const OF_NO_ACCOUNT = '';
/** Most characters of a receipt with its results. */
const MOST_CHARS = 2_097_152;

/** A position as it was read again, with the receipt of this reading. */
export interface PositionWithReceipt {
  position: RawPosition;
  receipt: PositionReceipt;
}

/** The receipt of a simulation before it is signed. */
export interface SimulationParts {
  content: object;
  data: object;
}

/** Receipts of readings, simulations and forecasts. */
@Injectable()
export class ReceiptsService {
  constructor(
    private readonly reader: ReceiptReader,
    private readonly signer: ReceiptSigner,
    private readonly stored: ReceiptsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the position again at the block of its figures.
   * @throws not_found for a closed position; upstream_unavailable when the block cannot be read again
   */
  async make(accountId: string, figure: RawPosition, form: ReceiptForm): Promise<PositionWithReceipt> {
    this.signer.requireKeys();
    const { position, content, text, results } = await this.reader.read(accountId, figure);
    const nowMs = this.clock.now();
    const made = await this.signer.sign(text, nowMs);
    const size = results.reduce((sum, { length }) => sum + length, made.body.length);
    if (size > MOST_CHARS) throw tooLarge(size);
    const former = await this.stored.store(accountId, made, new Date(nowMs));
    const { hash, signature } = former === null ? made : receiptOf<PositionReceipt>(former);
    const signed = { content: content as PositionReceipt['content'], hash };
    return { position, receipt: { ...signed, ...(form === 'full' && { results }), signature } };
  }

  /** Signs and stores what the simulation service computed. @throws invalid_request for a receipt of another form */
  async signSimulation(accountId: string, parts: SimulationParts): Promise<StoredReceipt> {
    this.signer.requireKeys();
    refuseWrong('a simulation', wrongUnsignedSimulationPart(parts as unknown as Json));
    const nowMs = this.clock.now();
    const { content, data } = parts;
    const made = await this.signer.sign(content, nowMs, { data: data as Json });
    return receiptOf((await this.stored.store(accountId, made, new Date(nowMs))) ?? made.body);
  }

  /**
   * Signs and stores recorded forecasts of a position. Accounts that watch its wallet may read them. The same ones again have
   * the signature of the first time. @throws invalid_request for a receipt of another form
   */
  async signForecast(content: ForecastContent): Promise<{ hash: string }> {
    this.signer.requireKeys();
    refuseWrong('forecasts', wrongUnsignedForecastPart(content as unknown as Json));
    const nowMs = this.clock.now();
    const made = await this.signer.sign(content, nowMs);
    await this.stored.store(OF_NO_ACCOUNT, made, new Date(nowMs));
    return { hash: made.hash };
  }

  /** @throws not_found also for the receipt of another account, and of a wallet that the account does not watch */
  async find(accountId: string, hash: string): Promise<StoredReceipt> {
    const body = HASH.test(hash) ? await this.stored.find(accountId, hash) : null;
    if (body === null) throw notFound('receipt');
    return receiptOf(body);
  }
}

/** @throws invalid_request for a part, null: none */
function refuseWrong(of: string, field: string | null): void {
  if (field === null) return;
  const message = `No receipt of ${of} has this part in this form. Send it as its schema states.`;
  throw invalidRequest([{ field, code: 'invalid_value', message }]);
}

/** Its fields are in the canonical order, so that the response has the canonical text. */
function receiptOf<Receipt = StoredReceipt>(text: string): Receipt {
  return JSON.parse(text) as Receipt;
}

function tooLarge(size: number): Problem {
  return new Problem(
    'upstream_failed',
    `The receipt would have ${size} characters, and ${MOST_CHARS} is the most. Request the position without receipt.`,
  );
}
