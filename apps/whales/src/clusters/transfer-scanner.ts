import { Injectable } from '@nestjs/common';
import { type MinedLog, readLogs } from '@plimsoll/evm';
import { type Address, type Hex, pad, slice, toEventSelector, zeroAddress } from 'viem';
import { toDouble } from '../activity-row';
import type { ChainAccess } from '../indexing/chain-access';
import { IndexStore } from '../indexing/index-store';
import { type MovedToken, TrackedWalletsRepository } from './tracked-wallets.repository';
import { type TransferRow, TransfersRepository } from './transfers.repository';

const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
/** Wallets in one filter. Nodes accept this many topics. */
const WALLETS_PER_CALL = 500;

/**
 * Reads the received tokens of wallets, among those that move in the protocols, up to the cursor of activity.
 */
@Injectable()
export class TransferScanner {
  constructor(
    private readonly index: IndexStore,
    private readonly tracked: TrackedWalletsRepository,
    private readonly transfers: TransfersRepository,
  ) {}

  /** @throws ChainReadError */
  async scan(chain: ChainAccess, wallets: readonly Address[]): Promise<void> {
    const { chainId } = chain.client;
    const cursor = await this.index.cursor(chainId);
    const tokens = await this.tracked.tokens(chainId);
    if (!cursor || tokens.length === 0) return;
    const groups = await this.transfers.unscanned(chainId, wallets, cursor.block);
    const floor = await this.transfers.floor(chainId);
    for (const [scanned, group] of groups) {
      for (let at = 0; at < group.length; at += WALLETS_PER_CALL) {
        const some = group.slice(at, at + WALLETS_PER_CALL);
        const found = await this.received(chain, some, tokens, [(scanned ?? floor) + 1n, cursor.block]);
        if (!(await this.transfers.save(chainId, some, cursor, found))) return;
      }
    }
  }

  private async received(
    { client }: ChainAccess,
    wallets: readonly Address[],
    tokens: readonly MovedToken[],
    [fromBlock, toBlock]: [bigint, bigint],
  ): Promise<TransferRow[]> {
    const byAddress = new Map(tokens.map((token) => [token.token, token]));
    const filter = {
      addresses: tokens.map(({ token }) => token).filter((token) => token !== zeroAddress),
      topics: [TRANSFER],
      furtherTopics: [null, wallets.map((wallet) => pad(wallet))],
    };
    const found: TransferRow[] = [];
    for await (const { logs } of readLogs<MinedLog>(client, filter, fromBlock, toBlock)) {
      for (const log of logs) {
        const token = byAddress.get(log.address.toLowerCase() as Address);
        const transfer = token && transferOf(log, token);
        if (transfer) found.push(transfer);
      }
    }
    return found;
  }
}

/** Returns null for a token that also indexes the amount. */
function transferOf(log: MinedLog, { token, decimals, priceUsd }: MovedToken): TransferRow | null {
  const [, from, to] = log.topics;
  if (!from || !to || log.topics.length !== 3) return null;
  const amount = toDouble(BigInt(log.data), decimals);
  return {
    blockHash: log.blockHash,
    logIndex: Number(log.logIndex),
    block: Number(log.blockNumber),
    token,
    sender: walletIn(from),
    recipient: walletIn(to),
    usd: amount * priceUsd,
  };
}

function walletIn(topic: Hex): Address {
  return slice(topic, 12).toLowerCase() as Address;
}
