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

  /**
   * Encrypted file (Web3 Secret Storage, version 3, scrypt) with the key that triggers the executor contracts; empty:
   * nothing is submitted.
   */
  @IsString()
  KEYSTORE_FILE: string = '';

  /** Password of that file. */
  @IsString()
  KEYSTORE_PASSWORD: string = '';

  /** Blocks, its own included, after which a transaction is final: `<chain>:<blocks>`, comma-separated. */
  @Matches(/^(|\d+:\d+(,\d+:\d+)*)$/, { message: 'must be <chain>:<blocks>, comma-separated' })
  CONFIRMATIONS: string = '';

  /** The same for a chain that is not named. */
  @IsInt()
  @Min(1)
  @Max(10_000)
  DEFAULT_CONFIRMATIONS: number = 12;

  /** Milliseconds after which a transaction that is in no block is sent again for a higher fee. */
  @IsInt()
  @Min(100)
  @Max(3_600_000)
  STUCK_MS: number = 60_000;

  /** Most that a transaction may offer for a unit of gas, in gwei. */
  @IsInt()
  @Min(1)
  @Max(100_000)
  MAX_FEE_GWEI: number = 300;

  /** Milliseconds between two looks at a transaction that is on its way. */
  @IsInt()
  @Min(10)
  @Max(60_000)
  FOLLOW_POLL_MS: number = 1_000;

  /** Milliseconds after which another process takes over what one that was killed had in hand. */
  @IsInt()
  @Min(500)
  @Max(600_000)
  LEASE_MS: number = 30_000;

  /** Days for which executions and the audit log are kept. */
  @IsInt()
  @Min(1)
  @Max(3_650)
  EXECUTION_DAYS: number = 400;
}
