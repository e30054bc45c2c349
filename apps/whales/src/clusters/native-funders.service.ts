import { Injectable, Logger } from '@nestjs/common';
import { ChainReadError } from '@plimsoll/chain';
import type { Address } from 'viem';
import { WhalesConfig } from '../config';
import type { ChainAccess } from '../indexing/chain-access';
import { IndexStore } from '../indexing/index-store';
import { firstNativeFunder } from './native-funding';
import { type NativeFunder, NativeFundersRepository } from './native-funders.repository';

/** Wallets that are looked at at once. */
const PARALLEL = 4;

/** Looks, for some wallets a round, for who sent them their first coin. */
@Injectable()
export class NativeFunders {
  private readonly logger = new Logger('native-funders');
  /** Chains whose nodes keep no state of old blocks. */
  private readonly stateless = new Set<number>();

  constructor(
    private readonly config: WhalesConfig,
    private readonly index: IndexStore,
    private readonly repository: NativeFundersRepository,
  ) {}

  /** @throws ChainReadError */
  async scan({ client }: ChainAccess, wallets: readonly Address[]): Promise<void> {
    const { chainId } = client;
    const cursor = await this.index.cursor(chainId);
    if (!cursor || this.stateless.has(chainId) || this.config.NATIVE_FUNDERS_A_ROUND === 0) return;
    const some = await this.repository.unknown(chainId, wallets, this.config.NATIVE_FUNDERS_A_ROUND);
    const found: NativeFunder[] = [];
    try {
      for (let at = 0; at < some.length; at += PARALLEL) {
        const chunk = some.slice(at, at + PARALLEL);
        const looked = await Promise.all(
          chunk.map((wallet) => firstNativeFunder(client, wallet, cursor.block)),
        );
        found.push(...looked.filter((each) => each !== null));
      }
    } catch (error) {
      if (!(error instanceof ChainReadError) || error.code !== 'rpc_rejected') throw error;
      this.stateless.add(chainId);
      this.logger.warn({
        msg: 'the node keeps no state of old blocks: who funded wallets with its own coin is not read',
        chainId,
        err: error,
      });
    }
    await this.repository.save(chainId, cursor, found);
  }
}
