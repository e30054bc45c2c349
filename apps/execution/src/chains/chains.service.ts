import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  type ChainClient,
  type MarketRow,
  Multicall,
  type ProtocolRegistry,
  allMarkets,
  createChainClient,
  loadRegistry,
} from '@plimsoll/evm';
import { type HoldingsIndex, createReaders } from '@plimsoll/protocols';
import type { Address } from 'viem';
import { ExecutionConfig } from '../config';
import { OracleVenue } from '../swaps/oracle-venue';
import type { SwapVenue } from '../swaps/swap-port';
import { type ChainExecution, loadExecutionOverlay } from './execution-overlay';

/** A chain with what an execution needs. */
export interface ExecutionChain {
  readonly client: ChainClient;
  readonly multicall: Multicall;
  /** Symbol of the coin that pays gas. */
  readonly nativeCurrency: string;
  /** Null on a chain without a swap venue. */
  readonly venue: SwapVenue | null;
  /** Returns the executor contract of a market, or undefined when executions are not submitted there. */
  executorOf(row: MarketRow): Address | undefined;
  row(protocol: string, market: string): MarketRow | undefined;
  /** Returns the display name of a market's protocol: Aave v3. */
  protocolName(row: MarketRow): string;
  /**
   * Returns a reader of the market over any client of this chain, or undefined when none reads its family.
   */
  reader(
    row: MarketRow,
    over: { client: ChainClient; index: HoldingsIndex },
  ): ReturnType<typeof createReaders>[number] | undefined;
}

/** The configured chains. */
@Injectable()
export class ChainsService implements OnApplicationBootstrap {
  private readonly chains = new Map<number, ExecutionChain>();

  constructor(private readonly config: ExecutionConfig) {}

  find(chainId: number): ExecutionChain | undefined {
    return this.chains.get(chainId);
  }

  all(): readonly ExecutionChain[] {
    return [...this.chains.values()];
  }

  async onApplicationBootstrap(): Promise<void> {
    const path = this.config.REGISTRY_OVERLAY || undefined;
    const [registry, overlay] = await Promise.all([loadRegistry(path), loadExecutionOverlay(path)]);
    for (const { chainId, rpcUrl, quorum } of this.config.RPC_URL.chains) {
      const own = overlay.find((each) => each.chainId === chainId);
      const client = createChainClient({ chainId, rpcUrl, quorum, timeoutMs: this.config.RPC_TIMEOUT_MS });
      this.chains.set(chainId, executionChain(registry, client, own));
    }
  }
}

function executionChain(
  registry: ProtocolRegistry,
  client: ChainClient,
  own: ChainExecution | undefined,
): ExecutionChain {
  const { chainId } = client;
  const chain = registry.chains.find(({ id }) => id === chainId);
  if (!chain) {
    throw new Error(
      `Chain ${chainId} of RPC_URL_${chainId} is not in the registry. Add it to REGISTRY_OVERLAY.`,
    );
  }
  const { multicall3, nativeCurrency } = chain;
  const rows = allMarkets(registry, chainId);
  return {
    client,
    multicall: new Multicall(client, multicall3),
    nativeCurrency,
    venue: own?.oracleVenue === undefined ? null : new OracleVenue(own.oracleVenue),
    executorOf: ({ protocol, market }) => own?.executors?.[`${protocol}/${market}`],
    row: (protocol, market) => rows.find((row) => row.protocol === protocol && row.market === market),
    protocolName: ({ protocol }) => {
      const name = registry.protocols.find(({ id }) => id === protocol)?.name ?? protocol;
      return name.replace(/ V(?=\d)/, ' v');
    },
    reader: (row, over) => {
      const parts = { ...over, multicall: new Multicall(over.client, multicall3) };
      return createReaders(registry, parts).find(
        (reader) => reader.row.protocol === row.protocol && reader.row.market === row.market,
      );
    },
  };
}
