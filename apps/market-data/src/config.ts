import { CHAIN_ENDPOINTS_VALIDATION, type ChainEndpoints, parseChainEndpoints } from '@plimsoll/chain';
import { EventServiceConfig } from '@plimsoll/service-kit';
import { IsInt, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';

const URL_OR_EMPTY = /^$|^https?:\/\/[^\s]+$/;
const urlOrEmpty = { message: 'must be an http:// or https:// address, or empty' };

export class MarketDataConfig extends EventServiceConfig {
  /** The chains whose price feeds are read: RPC_URL_<chainId>, http(s) address of the node. May be none. */
  @ValidateBy(CHAIN_ENDPOINTS_VALIDATION)
  RPC_URL: ChainEndpoints = parseChainEndpoints(process.env, { required: false });

  /** JSON file with addresses and price feeds that are put over the registry; empty: the registry as it ships. */
  @IsString()
  REGISTRY_OVERLAY: string = '';

  /** Milliseconds one request to a node may take. */
  @IsInt()
  @Min(100)
  @Max(30_000)
  RPC_TIMEOUT_MS: number = 5_000;

  /** Milliseconds between two looks at the price feeds of a chain. */
  @IsInt()
  @Min(50)
  @Max(60_000)
  FEED_POLL_MS: number = 2_000;

  /** Base address of the CoinGecko API, for example https://api.coingecko.com/api/v3; empty: not asked. */
  @Matches(URL_OR_EMPTY, urlOrEmpty)
  COINGECKO_URL: string = '';

  /** Key of CoinGecko; its kind (demo or pro) follows from the host. */
  @IsString()
  COINGECKO_KEY: string = '';

  @IsInt()
  @Min(10)
  COINGECKO_POLL_MS: number = 60_000;

  /** Base address of DefiLlama's coins API, for example https://coins.llama.fi; `{key}` stands for the key. Empty: not asked. */
  @Matches(URL_OR_EMPTY, urlOrEmpty)
  DEFILLAMA_URL: string = '';

  /** Base address of DefiLlama's TVL API, for example https://api.llama.fi; `{key}` stands for the key. Empty: not asked. */
  @Matches(URL_OR_EMPTY, urlOrEmpty)
  DEFILLAMA_TVL_URL: string = '';

  @IsString()
  DEFILLAMA_KEY: string = '';

  @IsInt()
  @Min(10)
  DEFILLAMA_POLL_MS: number = 60_000;

  /** Milliseconds one call of CoinGecko or DefiLlama may take. */
  @IsInt()
  @Min(100)
  @Max(30_000)
  SOURCE_TIMEOUT_MS: number = 8_000;

  /** Days of daily history that an asset begins with. */
  @IsInt()
  @Min(31)
  @Max(3_650)
  HISTORY_DAYS: number = 1_000;

  /** Milliseconds between two calls for history: free plans count calls a minute. */
  @IsInt()
  @Min(0)
  @Max(60_000)
  HISTORY_CALL_PAUSE_MS: number = 2_500;

  /** Milliseconds between two looks for a day that is over, or an asset without a history. */
  @IsInt()
  @Min(100)
  HISTORY_LOOK_MS: number = 30_000;

  /** Seed of the past that is made up for a local market. */
  @IsInt()
  MARKET_SEED: number = 1;

  /** Milliseconds between two rounds over the protocols' TVL. */
  @IsInt()
  @Min(1_000)
  TVL_POLL_MS: number = 600_000;

  /** Milliseconds between two measurements of the risk index. */
  @IsInt()
  @Min(100)
  INDEX_INTERVAL_MS: number = 60_000;

  /** A price is published when it has moved by so many basis points; 0: at every change. */
  @IsInt()
  @Min(0)
  @Max(1_000)
  PRICE_MOVE_BPS: number = 1;

  /** The longest silence of price.v1 for an asset. */
  @IsInt()
  @Min(1_000)
  PRICE_HEARTBEAT_MS: number = 60_000;
}
