import { Logger } from '@nestjs/common';
import { type PriceSource as SourceName, priceSymbol } from '@plimsoll/contracts';
import {
  type CallResults,
  type BlockRef,
  type ChainClient,
  Multicall,
  PlanBuilder,
  readLatestHead,
} from '@plimsoll/evm';
import type { Clock } from '@plimsoll/service-kit';
import { type Address, type Hex, parseAbi } from 'viem';
import { rescale, toUsd } from '../sources/price-raw';
import type { PriceSource, Quote, SourceReading } from '../sources/price-source';
import type { ChainFeeds } from './feed-table';

/** The functions of a Chainlink aggregator, a sequencer uptime feed and a token that are read. */
const feedAbi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
]);

const tokenAbi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function decimals() view returns (uint8)',
]);

type Feed = ChainFeeds['feeds'][number];

/** A feed that responded as expected. */
interface ProvenFeed extends Feed {
  decimals: number;
  tokenDecimals: number;
}

/** Feeds that do not match the table are checked again after this time. */
const PROBE_AGAIN_MS = 10 * 60_000;
/** After a sequencer returns, prices on its chain first catch up (Chainlink, L2 sequencer uptime feeds). */
const SEQUENCER_GRACE_MS = 3_600_000;

/** The price feeds of one chain, all read in one request at its newest block. */
export class ChainFeedSource implements PriceSource {
  readonly name: SourceName;
  readonly chainId: number;
  private readonly logger: Logger;
  private readonly multicall: Multicall;
  private readonly heartbeats: ReadonlyMap<string, number>;
  private proven: readonly ProvenFeed[] = [];
  private probeAtMs = 0;
  private latest: { blockHash: Hex; reading: SourceReading } | undefined;

  constructor(
    private readonly chain: ChainFeeds,
    private readonly client: ChainClient,
    multicall3: Address,
    readonly pollMs: number,
    private readonly clock: Clock,
  ) {
    this.name = chain.source;
    this.chainId = chain.chainId;
    this.logger = new Logger(`feeds-${chain.chainId}`);
    this.multicall = new Multicall(client, multicall3);
    this.heartbeats = new Map(chain.feeds.map(({ asset, heartbeatMs }) => [asset, heartbeatMs]));
  }

  heartbeatMs(asset: string): number | undefined {
    return this.heartbeats.get(asset);
  }

  async read(): Promise<SourceReading> {
    const head = await readLatestHead(this.client);
    if (this.clock.now() >= this.probeAtMs) await this.probe(head);
    // The feeds of one block do not change. Whether a sequencer counts as up also depends on the time.
    else if (this.latest?.blockHash === head.hash && !this.chain.sequencer) return this.latest.reading;
    const plan = new PlanBuilder(this.chainId, 'price feeds');
    const slots = this.proven.map((feed) => ({
      feed,
      round: plan.call(feed.address, feedAbi, 'latestRoundData', []),
      supply: feed.token && plan.call(feed.token, tokenAbi, 'totalSupply', []),
    }));
    const { sequencer } = this.chain;
    const uptime = sequencer && plan.call(sequencer, feedAbi, 'latestRoundData', []);
    const read = plan.build(({ outcome }) => ({
      quotes: slots.flatMap(({ feed, round, supply }) => {
        const response = outcome(round);
        const total = supply && outcome(supply);
        return response.ok ? quoteOf(feed, response.value, total?.ok ? total.value : null) : [];
      }),
      // A sequencer feed that does not respond counts as down.
      isSequencerDown: uptime !== null && isDown(outcome(uptime), this.clock.now()),
    }));
    const reading = await this.multicall.read(read, head);
    this.latest = { blockHash: head.hash, reading };
    return reading;
  }

  /** Checks which feeds match the table. The others are not used and are named in the log. */
  private async probe(head: BlockRef): Promise<void> {
    const plan = new PlanBuilder(this.chainId, 'price feeds');
    const slots = this.chain.feeds.map((feed) => ({
      feed,
      decimals: plan.call(feed.address, feedAbi, 'decimals', []),
      description: plan.call(feed.address, feedAbi, 'description', []),
      tokenDecimals: feed.token && plan.call(feed.token, tokenAbi, 'decimals', []),
    }));
    const probed = plan.build(({ outcome }) =>
      slots.map(({ feed, decimals, description, tokenDecimals }) => {
        const [places, text] = [outcome(decimals), outcome(description)];
        const isSame = this.name === 'local-market' || (text.ok && namesAsset(text.value, feed.asset));
        const tokenPlaces = tokenDecimals ? outcome(tokenDecimals) : null;
        return places.ok && isSame
          ? { ...feed, decimals: places.value, tokenDecimals: tokenPlaces?.ok ? tokenPlaces.value : 18 }
          : null;
      }),
    );
    const results = await this.multicall.read(probed, head);
    this.proven = results.filter((feed) => feed !== null);
    this.probeAtMs = this.clock.now() + PROBE_AGAIN_MS;
    const refused = this.chain.feeds.filter((_, index) => results[index] === null).map(({ asset }) => asset);
    if (refused.length > 0) {
      this.logger.warn({
        msg: 'these feeds are not what the table says and are not used: correct their addresses',
        refused,
      });
    }
  }
}

type Round = readonly [bigint, bigint, bigint, bigint, bigint];

function quoteOf(feed: ProvenFeed, [, response, , updatedAt]: Round, supply: bigint | null): Quote[] {
  if (response <= 0n || updatedAt === 0n) return [];
  const priceRaw = rescale(response, feed.decimals);
  return [
    {
      asset: feed.asset,
      priceRaw,
      observedAtMs: Number(updatedAt) * 1_000,
      marketCapUsd: supply === null ? null : toUsd((priceRaw * supply) / 10n ** BigInt(feed.tokenDecimals)),
      change24h: null,
    },
  ];
}

/** Value 0 means that the sequencer has been up since startedAt. */
function isDown(uptime: ReturnType<CallResults['outcome']>, nowMs: number): boolean {
  if (!uptime.ok) return true;
  const [, response, startedAt] = uptime.value as Round;
  return response !== 0n || nowMs - Number(startedAt) * 1_000 < SEQUENCER_GRACE_MS;
}

/** Chainlink names its feeds "ETH / USD". */
function namesAsset(description: string, asset: string): boolean {
  const [base = '', quote = ''] = description.split('/').map((part) => part.trim());
  return quote === 'USD' && priceSymbol(base) === asset;
}
