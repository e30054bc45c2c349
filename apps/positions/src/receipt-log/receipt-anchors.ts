import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  type ChainClient,
  type Fees,
  type Inclusion,
  bumpedFees,
  currentFees,
  inclusionOf,
  sendRaw,
  transactionCount,
} from '@plimsoll/evm';
import { rootEntry } from '@plimsoll/receipts';
import { Clock, PeriodicService } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { type Hex, hexToBigInt, hexToNumber, keccak256, stringToHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { ChainsService } from '../chains/chains.service';
import { PositionsConfig } from '../config';
import { ReceiptLog } from './receipt-log';
import { ReceiptRoots } from './receipt-roots';

const MINUTE_MS = 60_000;
/** A transaction without a block is then replaced, with a higher fee. */
const STUCK_MS = 10 * MINUTE_MS;
/** Transactions of one root. */
const MOST_ATTEMPTS = 5;
/** A block below this many others is not removed by a reorg. */
const FINAL_BLOCKS = 64;
/** Transactions that one round looks up. */
const MOST_OPEN = 200;
const GWEI = 10n ** 9n;
const NO_CAP = 2n ** 128n;
/** An estimate may be too low for the next block. */
const GAS_PERCENT = 120n;

interface OpenRow {
  hash: Hex;
  nonce: string;
  isMined: boolean;
}

interface AttemptRow {
  hour: Date;
  maxFee: string;
  priorityFee: string;
  signedAt: Date;
}

/** Those that may be in a block, or no longer be in one. The newest nonces are first, because a reorg removes the newest blocks. */
const OPEN = `
SELECT hash, nonce, is_mined AS "isMined" FROM receipt_anchors
WHERE chain_id = $1 AND account = $2 AND NOT is_final AND (is_mined OR nonce < $3)
ORDER BY nonce DESC, signed_at DESC LIMIT ${MOST_OPEN}`;

const ATTEMPTS = `
SELECT hour, max_fee AS "maxFee", priority_fee AS "priorityFee", signed_at AS "signedAt" FROM receipt_anchors
WHERE chain_id = $1 AND account = $2 AND nonce = $3 ORDER BY signed_at DESC`;

/** Another instance may have signed one meanwhile. */
const INSERT = `
INSERT INTO receipt_anchors (hash, hour, chain_id, account, nonce, max_fee, priority_fee, raw, signed_at)
SELECT $1, hour, $3, $4, $5, $6, $7, $8, $9 FROM receipt_roots WHERE hour = $2 AND NOT EXISTS (
  SELECT FROM receipt_anchors WHERE chain_id = $3 AND account = $4 AND nonce = $5 AND signed_at >= $10)`;

/**
 * Writes each new root of the log as the data of a transaction of a configured account to itself. One transaction is pending
 * at most: that of a newer root replaces it, because a newer root has all receipts of an older one.
 */
@Injectable()
export class ReceiptAnchors extends PeriodicService {
  private readonly logger = new Logger('receipt-anchors');
  private readonly account: PrivateKeyAccount | null;
  private readonly sender: string;

  constructor(
    private readonly config: PositionsConfig,
    @Inject(Pool) private readonly pool: Pool,
    private readonly chains: ChainsService,
    private readonly log: ReceiptLog,
    private readonly roots: ReceiptRoots,
    private readonly clock: Clock,
  ) {
    super({
      name: 'receipt-anchors',
      everyMs: MINUTE_MS,
      failure: 'the root of the log is not on the chain; the next round tries again',
    });
    const { ANCHOR_CHAIN_ID, ANCHOR_PRIVATE_KEY, RPC_URL } = config;
    const isOn = ANCHOR_CHAIN_ID !== 0 && ANCHOR_PRIVATE_KEY !== '';
    if (isOn && !RPC_URL.chains.some(({ chainId }) => chainId === ANCHOR_CHAIN_ID))
      throw new Error(`ANCHOR_CHAIN_ID is ${ANCHOR_CHAIN_ID}, and RPC_URL_${ANCHOR_CHAIN_ID} is not set.`);
    this.account = isOn ? privateKeyToAccount(ANCHOR_PRIVATE_KEY as Hex) : null;
    this.sender = this.account?.address.toLowerCase() ?? '';
  }

  async round(): Promise<void> {
    const client = this.chains.clientOf(this.config.ANCHOR_CHAIN_ID);
    if (!this.account || !client) return;
    const nonce = await transactionCount(client, this.account.address);
    await this.settle(client, nonce);
    await this.signNewest(this.account, client, nonce);
    await this.send(client, nonce);
  }

  /** Marks the transactions that are in a block, and takes the mark from those that a reorg removed. */
  private async settle(client: ChainClient, nonce: number): Promise<void> {
    const { chainId } = client;
    const { rows } = await this.pool.query<OpenRow>(OPEN, [chainId, this.sender, nonce]);
    if (rows.length === 0) return;
    const head = hexToNumber(await client.request<Hex>('eth_blockNumber', []));
    for (const row of rows) {
      const inclusion = await inclusionOf(client, row.hash);
      const isMined = inclusion !== null;
      if (isMined !== row.isMined) await this.mark(row, chainId, inclusion);
      if (inclusion && inclusion.block <= head - FINAL_BLOCKS)
        // The others of its nonce can no longer be in a block.
        await this.pool.query(
          'UPDATE receipt_anchors SET is_final = true WHERE chain_id = $1 AND account = $2 AND nonce = $3',
          [chainId, this.sender, row.nonce],
        );
    }
  }

  private async mark({ hash }: OpenRow, chainId: number, inclusion: Inclusion | null): Promise<void> {
    await this.pool.query('UPDATE receipt_anchors SET is_mined = $2 WHERE hash = $1', [hash, !!inclusion]);
    if (inclusion)
      this.logger.log({ msg: 'a root of the log is on the chain', chainId, hash, block: inclusion.block });
    else
      this.logger.warn({ msg: 'a reorg removed the transaction of a root; it is sent again', chainId, hash });
  }

  /** Signs and stores the transaction of the newest root, or one that replaces it. */
  private async signNewest(account: PrivateKeyAccount, client: ChainClient, nonce: number): Promise<void> {
    const newest = await this.roots.newest();
    if (!newest || newest.root.anchor) return;
    const { hour, root } = newest;
    const { rows } = await this.pool.query<AttemptRow>(ATTEMPTS, [client.chainId, this.sender, nonce]);
    const own = rows.filter((each) => each.hour.getTime() === hour.getTime());
    const nowMs = this.clock.now();
    const isFresh = own[0] !== undefined && nowMs - own[0].signedAt.getTime() < STUCK_MS;
    if (isFresh || own.length >= MOST_ATTEMPTS) return;
    const data = stringToHex(rootEntry(root));
    const gas = await gasOf(client, account.address, data);
    const cap = (BigInt(this.config.ANCHOR_MAX_COST_GWEI) * GWEI) / gas;
    const fees = await feesOver(client, rows[0], cap);
    if (!fees) {
      this.logger.warn({
        msg: 'the root waits, because its transaction would cost more than ANCHOR_MAX_COST_GWEI',
        gas: Number(gas),
      });
      return;
    }
    const { chainId } = client;
    const transaction = { chainId, nonce, to: account.address, value: 0n, data, gas };
    const raw = await account.signTransaction({
      type: 'eip1559',
      ...transaction,
      maxFeePerGas: fees.maxFee,
      maxPriorityFeePerGas: fees.priorityFee,
    });
    await this.log.exclusively((tx) =>
      tx.query(INSERT, [
        keccak256(raw),
        hour,
        chainId,
        this.sender,
        nonce,
        String(fees.maxFee),
        String(fees.priorityFee),
        raw,
        new Date(nowMs),
        rows[0] ? new Date(rows[0].signedAt.getTime() + 1) : new Date(0),
      ]),
    );
  }

  /**
   * Sends the newest transaction of the nonce, unless its root is on the chain by another one, as after a reorg. Sending it
   * again has no effect, so a crash before it was sent costs a minute.
   */
  private async send(client: ChainClient, nonce: number): Promise<void> {
    const { rows } = await this.pool.query<{ raw: Hex; hash: string }>(
      `SELECT raw, hash FROM receipt_anchors AS own WHERE chain_id = $1 AND account = $2 AND nonce = $3
         AND NOT EXISTS (SELECT FROM receipt_anchors WHERE hour = own.hour AND is_mined)
       ORDER BY signed_at DESC LIMIT 1`,
      [client.chainId, this.sender, nonce],
    );
    if (!rows[0]) return;
    const complaint = await sendRaw(client, rows[0].raw);
    if (complaint !== null) throw new Error(`the node rejects ${rows[0].hash}: ${complaint}`);
  }
}

async function gasOf(client: ChainClient, account: Hex, data: Hex): Promise<bigint> {
  const estimate = await client.request<Hex>('eth_estimateGas', [{ from: account, to: account, data }]);
  return (hexToBigInt(estimate) * GAS_PERCENT) / 100n;
}

/** Fees that a node takes now, in the place of those of the pending transaction. Null: the cap excludes them. */
async function feesOver(
  client: ChainClient,
  pending: AttemptRow | undefined,
  cap: bigint,
): Promise<Fees | null> {
  const wanted = await currentFees(client, NO_CAP);
  // Below the base fee with the tip, no block takes it.
  if (wanted.maxFee + wanted.priorityFee > 2n * cap) return null;
  const now = { ...wanted, maxFee: wanted.maxFee < cap ? wanted.maxFee : cap };
  if (!pending) return now;
  const { maxFee, priorityFee } = pending;
  return bumpedFees({ maxFee: BigInt(maxFee), priorityFee: BigInt(priorityFee) }, now, cap);
}
