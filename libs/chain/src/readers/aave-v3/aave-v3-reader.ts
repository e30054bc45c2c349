import type { Address } from 'viem';
import type { Multicall } from '../../multicall/multicall';
import type { BlockRef } from '../../multicall/pinned-call';
import { both, type Outcome } from '../../multicall/read-call';
import type { MarketRow } from '../../registry/registry';
import type { ChainClient } from '../../rpc/chain-client';
import { ChainReadError, type ChainReadCode } from '../../rpc/chain-read-error';
import type { AccountsRead, PositionsRead, Probe, ProtocolReader, Unreadable } from '../protocol-reader';
import type { RawPosition } from '../raw-position';
import { planAccounts, type AaveV3Account, type AccountsAnswer } from './accounts';
import { confirmPosition, planTotals, type ContractTotals } from './confirm';
import { evaluateAccount } from './evaluate';
import { lowerCase, readLayout, subjectOf, type AaveV3Layout } from './layout';
import { planMarket, type AaveV3Market } from './market';
import { readTouchedWallets } from './touched-wallets';

/** Reads one market of the aave-v3 family (Aave v3, Spark, HyperLend). Addresses of wallets come out in lower case. */
export class AaveV3Reader implements ProtocolReader<AaveV3Market, AaveV3Account> {
  /** The newest market read: its reserves say where balances lie. */
  private market: AaveV3Market | undefined;
  private layout: AaveV3Layout | undefined;

  constructor(
    readonly row: MarketRow,
    private readonly client: ChainClient,
    private readonly multicall: Multicall,
  ) {}

  async probe(block: BlockRef): Promise<Probe> {
    try {
      await this.readMarket(block);
      return { ok: true };
    } catch (error) {
      const reason = reasonOf(error);
      return {
        ok: false,
        reason,
        message: `${subjectOf(this.row, 'probe')} failed: ${reason}; check its registry row`,
      };
    }
  }

  async readMarket(block: BlockRef): Promise<AaveV3Market> {
    const known =
      this.layout && (await this.multicall.read(planMarket(this.row, this.layout, block), block)).market;
    if (known) return (this.market = known);
    this.layout = await readLayout(this.row, this.multicall, block);
    const { market } = await this.multicall.read(planMarket(this.row, this.layout, block), block);
    if (market) return (this.market = market);
    throw new ChainReadError(
      'unknown_layout',
      this.row.chainId,
      `${subjectOf(this.row, 'layout')} differs within one block`,
    );
  }

  async readAccounts(wallets: readonly Address[], block: BlockRef): Promise<AccountsRead<AaveV3Account>> {
    const market = this.market ?? (await this.readMarket(block));
    const answer = await this.multicall.read(planAccounts(this.row, market, wallets.map(lowerCase)), block);
    return { accounts: answer.accounts, unreadable: this.failedWallets(answer) };
  }

  evaluate(market: AaveV3Market, account: AaveV3Account): RawPosition | null {
    return evaluateAccount(this.row, market, account);
  }

  async confirm(positions: readonly RawPosition[], block: BlockRef): Promise<PositionsRead> {
    return this.orUnreadable(async () => {
      const { layout } = await this.marketAt(block);
      const wallets = positions.map(({ wallet }) => wallet);
      const totals = await this.multicall.read(planTotals(this.row, layout, wallets), block);
      return this.compare(positions, totals, []);
    });
  }

  async readPositions(wallets: readonly Address[], block: BlockRef): Promise<PositionsRead> {
    return this.orUnreadable(async () => {
      const market = await this.marketAt(block);
      const owners = wallets.map(lowerCase);
      const plan = both(planAccounts(this.row, market, owners), planTotals(this.row, market.layout, owners));
      const [answer, totals] = await this.multicall.read(plan, block);
      const positions = [...answer.accounts.values()].flatMap(
        (account) => this.evaluate(market, account) ?? [],
      );
      const read = this.compare(positions, totals, this.failedWallets(answer));
      // A mismatch may come from a layout that changed without a sign of it: the next read starts from none.
      if (read.mismatches.length > 0) this.layout = undefined;
      return read;
    });
  }

  async readTouchedWallets(fromBlock: bigint, toBlock: bigint): Promise<Address[]> {
    if (!this.market) {
      throw new ChainReadError(
        'unknown_layout',
        this.row.chainId,
        `${subjectOf(this.row, 'market')} is not read yet: call readMarket first`,
      );
    }
    return readTouchedWallets(this.client, this.market, fromBlock, toBlock);
  }

  /** A block's market never changes: what was read of it last is not read again, unless the layout is in doubt. */
  private async marketAt(block: BlockRef): Promise<AaveV3Market> {
    const isKnown = this.layout !== undefined && this.market?.block.hash === block.hash;
    return isKnown && this.market ? this.market : this.readMarket(block);
  }

  private compare(
    positions: readonly RawPosition[],
    totals: ReadonlyMap<Address, Outcome<ContractTotals>>,
    unreadable: Unreadable[],
  ): PositionsRead {
    const read: PositionsRead = { positions: [], unreadable, mismatches: [] };
    const failed: Address[] = [];
    for (const position of positions) {
      const contract = totals.get(position.wallet);
      if (!contract?.ok) {
        failed.push(position.wallet);
        continue;
      }
      const confirmed = confirmPosition(position, contract.value);
      read.positions.push(confirmed.position);
      read.mismatches.push(...confirmed.mismatches);
    }
    if (failed.length > 0) read.unreadable.push(this.unreadable('call_failed', failed));
    return read;
  }

  private async orUnreadable(read: () => Promise<PositionsRead>): Promise<PositionsRead> {
    try {
      return await read();
    } catch (error) {
      return { positions: [], unreadable: [this.unreadable(reasonOf(error), [])], mismatches: [] };
    }
  }

  private failedWallets({ failed }: AccountsAnswer): Unreadable[] {
    return failed.length === 0 ? [] : [this.unreadable('call_failed', failed)];
  }

  private unreadable(reason: ChainReadCode, wallets: readonly Address[]): Unreadable {
    const { protocol, chainId, market } = this.row;
    return { protocol, chainId, market, reason, wallets };
  }
}

function reasonOf(error: unknown): ChainReadCode {
  if (error instanceof ChainReadError) return error.code;
  throw error;
}
