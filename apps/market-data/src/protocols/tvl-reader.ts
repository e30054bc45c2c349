import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { signalWithin } from '@plimsoll/service-kit';
import { MarketDataConfig } from '../config';
import { Leader } from '../leadership/leader';
import { withKey } from '../sources/defillama-source';
import { endpoint, fetchJson } from '../sources/fetch-json';
import { ProtocolTvls } from './protocol-tvls';

/**
 * Names of our protocols at DefiLlama, the newest first, because it renames some. Each is a project of its
 * public repository DefiLlama/yield-server. A protocol without a match keeps the totals read on chain.
 */
const DEFILLAMA_SLUGS: Readonly<Record<string, readonly string[]>> = {
  'aave-v3': ['aave-v3'],
  'aave-v2': ['aave-v2'],
  'aave-v4': ['aave-v4'],
  spark: ['sparklend'],
  hyperlend: ['hyperlend-pooled'],
  'compound-v2': ['compound-v2'],
  'compound-v3': ['compound-v3'],
  venus: ['venus-core-pool'],
  moonwell: ['moonwell-lending'],
  benqi: ['benqi-lending'],
  'morpho-blue': ['morpho-v1', 'morpho-blue'],
  'lista-lending': ['lista-lending'],
  'euler-v2': ['euler-v2'],
  fluid: ['fluid-lending'],
  'silo-v2': ['silo-v2'],
  'liquity-v1': ['liquity-v1'],
  'liquity-v2': ['liquity-v2'],
  felix: ['felix-cdp'],
  sky: ['sky-lending'],
  crvusd: ['crvusd'],
  llamalend: ['curve-llamalend'],
  fraxlend: ['fraxlend'],
  dolomite: ['dolomite'],
};

/** Every request may use its complete deadline. */
const ROUND_DEADLINE_MS = 3_600_000;

/**
 * Reads the value locked in each protocol from DefiLlama, one request at a time, when its TVL API is
 * configured.
 */
@Injectable()
export class TvlReader {
  private readonly logger = new Logger('tvl');

  constructor(
    private readonly config: MarketDataConfig,
    private readonly tvls: ProtocolTvls,
    leader: Leader,
  ) {
    if (config.DEFILLAMA_TVL_URL === '') return;
    leader.repeat({
      name: 'tvl',
      everyMs: config.TVL_POLL_MS,
      round: (signal) => this.readAll(signal),
      failure: 'TVLs could not be read; the previous ones remain',
      deadlineMs: ROUND_DEADLINE_MS,
    });
  }

  private async readAll(signal: AbortSignal): Promise<void> {
    const missing = await this.readEach(Object.keys(DEFILLAMA_SLUGS), signal);
    // One late response would otherwise leave a protocol without a new value until the next round.
    await this.readEach(missing, signal);
  }

  /** Returns the protocols whose value could not be read. */
  private async readEach(protocols: readonly string[], signal: AbortSignal): Promise<string[]> {
    const missing: string[] = [];
    for (const protocol of protocols) {
      let isRead = false;
      for (const slug of DEFILLAMA_SLUGS[protocol] ?? []) {
        isRead = await this.read(protocol, slug, signal);
        await delay(this.config.HISTORY_CALL_PAUSE_MS, undefined, { signal });
        if (isRead) break;
      }
      if (!isRead) missing.push(protocol);
    }
    return missing;
  }

  /** Returns true when the value is known. */
  private async read(protocol: string, slug: string, signal: AbortSignal): Promise<boolean> {
    const { DEFILLAMA_TVL_URL, DEFILLAMA_KEY, SOURCE_TIMEOUT_MS } = this.config;
    const deadline = signalWithin(SOURCE_TIMEOUT_MS, signal);
    try {
      const url = endpoint(withKey(DEFILLAMA_TVL_URL, DEFILLAMA_KEY), `tvl/${slug}`);
      const tvlUsd = await fetchJson<unknown>(url, deadline);
      if (typeof tvlUsd !== 'number' || !Number.isFinite(tvlUsd) || tvlUsd < 0) return false;
      await this.tvls.save({ protocol, tvlUsd });
      return true;
    } catch (error) {
      if (!signal.aborted)
        this.logger.warn({
          msg: 'a TVL could not be read; the previous one remains',
          protocol,
          slug,
          err: error,
        });
      return false;
    }
  }
}
