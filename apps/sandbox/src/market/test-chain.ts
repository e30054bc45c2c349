import path from 'node:path';
import type { TestClock, TestShock, TestWhaleMove } from '@plimsoll/contracts';
import { checksumAddress } from '@plimsoll/contracts';
import {
  type AnvilRpc,
  type DevnetAddresses,
  WhaleSimulation,
  connectAnvil,
  deployDevnet,
  marketSymbol,
  readPrices,
  seedPositions,
  shockPrice,
} from '@plimsoll/devnet';
import { type RunningPart, startEvm } from '@plimsoll/local-parts';
import { within } from '@plimsoll/service-kit';
import type { MarketAction } from './market-action';

/** That of Ethereum, so that a test reads the fields of its later live calls. */
export const TEST_CHAIN_ID = 1;
const PRICE_SCALE = 1e8;
const SEED = 1;

/** The result of an action, without the fields of other kinds. */
export type ActionResult = TestClock & Partial<TestShock & TestWhaleMove>;

/** The chain did not have its state in time. */
export class RestoreError extends Error {
  constructor() {
    super('the chain of the test market was not restored in time');
    this.name = 'RestoreError';
  }
}

interface BlockHead {
  number: string;
  timestamp: string;
}

/**
 * The chain of a test market, with the genuine contracts and seeded positions. It has blocks for transactions and clock
 * changes only, and each is a second after the one before. Equal start times and actions therefore give equal chains.
 */
export class TestChain {
  private constructor(
    private readonly node: RunningPart,
    private readonly rpc: AnvilRpc,
    readonly addresses: DevnetAddresses,
    private readonly whales: WhaleSimulation,
  ) {}

  /**
   * @param startSeconds Unix time of the first block
   * @param deployMs most time for its contracts and positions
   * @throws PartError when the node does not start; RestoreError
   */
  static async start(folder: string, startSeconds: number, deployMs: number): Promise<TestChain> {
    const node = await startEvm({
      dataDir: path.join(folder, 'chain'),
      logFile: path.join(folder, 'chain.log'),
      chainId: TEST_CHAIN_ID,
      extraArgs: ['--timestamp', String(startSeconds)],
    });
    try {
      return await within(deployMs, TestChain.deployed(node), () => new RestoreError());
    } catch (error) {
      await node.stop();
      throw error;
    }
  }

  private static async deployed(node: RunningPart): Promise<TestChain> {
    const { url: rpcUrl } = node;
    const rpc = connectAnvil(rpcUrl);
    await rpc.request('anvil_setBlockTimestampInterval', [1]);
    const addresses = await deployDevnet({ rpcUrl, chainId: TEST_CHAIN_ID });
    await seedPositions(rpcUrl, addresses);
    const whales = new WhaleSimulation({ rpcUrl, addresses, seed: SEED });
    // Their first use funds them, which belongs to the start of the market.
    await whales.list();
    return new TestChain(node, rpc, addresses, whales);
  }

  get url(): string {
    return this.node.url;
  }

  get exited(): Promise<unknown> {
    return this.node.exited;
  }

  stop(): Promise<void> {
    return this.node.stop();
  }

  async clock(): Promise<TestClock> {
    const { number, timestamp } = await this.rpc.request<BlockHead>('eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    return { now: new Date(Number(timestamp) * 1_000).toISOString(), block: Number(number) };
  }

  /** Price in USD by symbol. */
  async prices(): Promise<Map<string, number>> {
    const raw = await readPrices(this.rpc, this.addresses);
    return new Map([...raw].map(([symbol, price]) => [symbol, Number(price) / PRICE_SCALE]));
  }

  /** Applies one action. @throws RefusedAct, also when its transaction reverts, which adds a block */
  async apply(action: MarketAction): Promise<ActionResult> {
    switch (action.kind) {
      case 'clock': {
        const { timestamp } = await this.rpc.request<BlockHead>('eth_getBlockByNumber', ['latest', false]);
        await this.rpc.request('evm_setNextBlockTimestamp', [Number(timestamp) + action.advanceSeconds]);
        await this.rpc.request('evm_mine', []);
        return this.clock();
      }
      case 'shock': {
        const { asset, priceChangePercent } = action;
        const change = await shockPrice(this.url, this.addresses, asset, priceChangePercent);
        return {
          asset: change.symbol,
          priceUsd: Number(change.priceRaw) / PRICE_SCALE,
          transactionHash: change.transactionHash,
          ...(await this.clock()),
        };
      }
      case 'whale': {
        const { whale, action: kind, amount, asset } = action;
        const act = await this.whales.act(whale, kind, amount, asset);
        return {
          wallet: checksumAddress(act.wallet),
          action: kind,
          asset: marketSymbol(asset),
          amount: act.amount,
          transactionHash: act.transactionHash,
          ...(await this.clock()),
        };
      }
    }
  }
}
