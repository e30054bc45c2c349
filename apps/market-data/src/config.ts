import {
  CHAIN_ENDPOINTS_VALIDATION,
  type ChainEndpoints,
  isNodeAddressVariable,
  parseChainEndpoints,
} from '@plimsoll/evm';
import { EventServiceConfig, IsIntegerIn, IsUrlOrEmpty, withFileVariables } from '@plimsoll/service-kit';
import { IsInt, IsString, ValidateBy } from 'class-validator';

export class MarketDataConfig extends EventServiceConfig {
  static override readonly service = 'market-data';

  /** Chains whose price feeds are read: RPC_URL_<chainId>, http(s) URL of the node. May be empty. */
  @ValidateBy(CHAIN_ENDPOINTS_VALIDATION)
  RPC_URL: ChainEndpoints = parseChainEndpoints(withFileVariables(process.env, isNodeAddressVariable), {
    required: false,
  });

  /** JSON file with addresses and price feeds that override the registry. Empty: the registry as shipped. */
  @IsString()
  REGISTRY_OVERLAY: string = '';

  /** Milliseconds for one request to a node. */
  @IsIntegerIn(100, 30_000)
  RPC_TIMEOUT_MS: number = 5_000;

  /** Milliseconds between two reads of a chain's price feeds. */
  @IsIntegerIn(50, 60_000)
  FEED_POLL_MS: number = 2_000;

  /** Base URL of the CoinGecko API, for example https://api.coingecko.com/api/v3. Empty: not used. */
  @IsUrlOrEmpty()
  COINGECKO_URL: string = '';

  /** Key of CoinGecko. Its kind (demo or pro) follows from the host. */
  @IsString()
  COINGECKO_KEY: string = '';

  /** Milliseconds between two reads of all prices of CoinGecko. */
  @IsIntegerIn(10)
  COINGECKO_POLL_MS: number = 60_000;

  /**
   * Base URL of DefiLlama's coins API, for example https://coins.llama.fi. `{key}` is replaced by the key.
   * Empty: not used.
   */
  @IsUrlOrEmpty()
  DEFILLAMA_URL: string = '';

  /**
   * Base URL of DefiLlama's TVL API, for example https://api.llama.fi. `{key}` is replaced by the key. Empty:
   * not used.
   */
  @IsUrlOrEmpty()
  DEFILLAMA_TVL_URL: string = '';

  /** Key of DefiLlama. */
  @IsString()
  DEFILLAMA_KEY: string = '';

  /** Milliseconds between two reads of all prices of DefiLlama. */
  @IsIntegerIn(10)
  DEFILLAMA_POLL_MS: number = 60_000;

  /** Milliseconds for one request to CoinGecko or DefiLlama. */
  @IsIntegerIn(100, 30_000)
  SOURCE_TIMEOUT_MS: number = 8_000;

  /** Days of daily history that a new asset receives. */
  @IsIntegerIn(31, 3_650)
  HISTORY_DAYS: number = 1_000;

  /** Milliseconds between two history requests, because free plans limit requests per minute. */
  @IsIntegerIn(0, 60_000)
  HISTORY_CALL_PAUSE_MS: number = 2_500;

  /** Milliseconds between two checks for a completed day, or an asset without a history. */
  @IsIntegerIn(100)
  HISTORY_LOOK_MS: number = 30_000;

  /** Seed of the synthetic past of a local market. */
  @IsInt()
  MARKET_SEED: number = 1;

  /** Milliseconds between two rounds over the protocols' TVL. */
  @IsIntegerIn(1_000)
  TVL_POLL_MS: number = 600_000;

  /** Milliseconds between two measurements of the risk index. */
  @IsIntegerIn(100)
  INDEX_INTERVAL_MS: number = 60_000;

  /** A price is published when it has moved by this many basis points. 0: at every change. */
  @IsIntegerIn(0, 1_000)
  PRICE_MOVE_BPS: number = 1;

  /** Longest time without a price.v1 for an asset. */
  @IsIntegerIn(1_000)
  PRICE_HEARTBEAT_MS: number = 60_000;
}
