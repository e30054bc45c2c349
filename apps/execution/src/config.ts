import { CHAIN_ENDPOINTS_VALIDATION, type ChainEndpoints, parseChainEndpoints } from '@plimsoll/chain';
import { EventServiceConfig } from '@plimsoll/service-kit';
import { IsInt, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';

const ORIGIN = /^https?:\/\/[^/\s,]+$/;
const originOf = { message: 'must be an http:// origin without a path' };
/** `8453`, `aave-v3` or `8453/aave-v3`; `*` is everything. */
const SWITCHES = /^(|(\*|[a-z0-9][a-z0-9/-]*)(,(\*|[a-z0-9][a-z0-9/-]*))*)$/;

export class ExecutionConfig extends EventServiceConfig {
  /**
   * The chains that are executed on, one for each pair of variables in the environment:
   * RPC_URL_<chainId>     http(s) address of the node, or several with commas between, in order of preference; at least
   *                       one chain is required
   * RPC_WS_URL_<chainId>  taken, and not used: the newest block is asked for
   */
  @ValidateBy(CHAIN_ENDPOINTS_VALIDATION)
  RPC_URL: ChainEndpoints = parseChainEndpoints(process.env);

  /** JSON file with addresses that are put over the protocol registry; empty: the registry as it ships. */
  @IsString()
  REGISTRY_OVERLAY: string = '';

  /** Milliseconds one request to a node may take. */
  @IsInt()
  @Min(100)
  @Max(30_000)
  RPC_TIMEOUT_MS: number = 10_000;

  /** Origin of the positions service: what an id of a position stands for is looked up there. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_POSITIONS: string = '';

  /** Origin of the market-data service: the protocol's prices are compared with the prices there. */
  @Matches(ORIGIN, originOf)
  UPSTREAM_MARKET_DATA: string = '';

  /** Seconds that the newest block of a chain may be old. */
  @IsInt()
  @Min(1)
  @Max(3_600)
  MAX_BLOCK_AGE_SECONDS: number = 60;

  /** Basis points by which the protocol's price of an asset may differ from the service's. */
  @IsInt()
  @Min(1)
  @Max(2_000)
  PRICE_TOLERANCE_BPS: number = 200;

  /** What is switched off at the start, comma-separated: chain ids, protocol ids, or `<chain>/<protocol>`; `*`: all. */
  @Matches(SWITCHES, {
    message: 'must be chain ids, protocol ids or <chain>/<protocol>, comma-separated, or *',
  })
  EXECUTION_OFF: string = '';

  /** Days for which executions and the audit log are kept. */
  @IsInt()
  @Min(1)
  @Max(3_650)
  EXECUTION_DAYS: number = 400;
}
