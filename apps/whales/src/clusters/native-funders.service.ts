import { Injectable, Logger } from '@nestjs/common';
import { ChainReadError } from '@plimsoll/evm';
import type { Address } from 'viem';
import { WhalesConfig } from '../config';
import type { ChainAccess } from '../indexing/chain-access';
import { IndexStore } from '../indexing/index-store';
import { firstNativeFunder } from './native-funding';
import { type NativeFunder, NativeFundersRepository } from './native-funders.repository';

/** Wallets that are checked at the same time. */
const PARALLEL = 4;
/** Error codes of a node that does not keep the state of a block. */
const STATELESS: ReadonlySet<string> = new Set(['rpc_rejected', 'block_gone']);

/** Finds the sender of the first coin for some wallets per round. */
@Injectable()
export class NativeFunders {
  private readonly logger = new Logger('native-funders');
  /** Chains whose nodes keep no old state. */
  private readonly stateless = new Set<number>();
  /** Wallets without a sent transaction at their check. They are checked again after all others. */
  private readonly silent = new Map<number, Set<Address>>();

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
    const silent = this.silent.get(chainId) ?? new Set<Address>();
    this.silent.set(chainId, silent);
    const asked = wallets.filter((wallet) => !silent.has(wallet));
    const some = await this.repository.unknown(chainId, asked, this.config.NATIVE_FUNDERS_A_ROUND);
    if (some.length === 0) silent.clear();
    const found: NativeFunder[] = [];
    try {
      for (let at = 0; at < some.length; at += PARALLEL) {
        const chunk = some.slice(at, at + PARALLEL);
        const looked = await Promise.all(
          chunk.map((wallet) => firstNativeFunder(client, wallet, cursor.block)),
        );
        looked.forEach((each, place) => {
          if (each) found.push(each);
          else silent.add(chunk[place]!);
        });
      }
    } catch (error) {
      if (!(error instanceof ChainReadError) || !STATELESS.has(error.code)) throw error;
      this.stateless.add(chainId);
      this.logger.warn({
        msg: 'the node keeps no state of old blocks: native funders of wallets are not read',
        chainId,
        err: error,
      });
    }
    await this.repository.save(chainId, cursor, found);
  }
}
