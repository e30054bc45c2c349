import {
  CHAIN_ENDPOINTS_VALIDATION,
  type ChainEndpoints,
  isNodeAddressVariable,
  parseChainEndpoints,
} from '@plimsoll/evm';
import { EventServiceConfig, IsDays, IsIntegerIn, IsOrigin, withFileVariables } from '@plimsoll/service-kit';
import { IsString, Matches, ValidateBy } from 'class-validator';

/** `8453`, `aave-v3` or `8453/aave-v3`; `*` means all. */
const SWITCHES = /^(|(\*|[a-z0-9][a-z0-9/-]*)(,(\*|[a-z0-9][a-z0-9/-]*))*)$/;

export class ExecutionConfig extends EventServiceConfig {
  static override readonly service = 'execution';

  /**
   * The chains with execution, one for each pair of variables in the environment. At least one chain is required.
   * - RPC_URL_<chainId>: http(s) address of the node, or several with commas between, in order of preference
   * - RPC_QUORUM_<chainId>: how many of these nodes must return the same; absent: the first that responds is believed
   * - RPC_WS_URL_<chainId>: accepted but not used: the newest block is polled
   */
  @ValidateBy(CHAIN_ENDPOINTS_VALIDATION)
  RPC_URL: ChainEndpoints = parseChainEndpoints(withFileVariables(process.env, isNodeAddressVariable));

  /** JSON file with addresses that override the protocol registry. Empty: the registry as shipped. */
  @IsString()
  REGISTRY_OVERLAY: string = '';

  /** Milliseconds for one request to a node. */
  @IsIntegerIn(100, 30_000)
  RPC_TIMEOUT_MS: number = 10_000;

  /** Origin of the positions service, which resolves position ids. */
  @IsOrigin()
  UPSTREAM_POSITIONS: string = '';

  /** Origin of the market-data service, whose prices are compared with the protocol's. */
  @IsOrigin()
  UPSTREAM_MARKET_DATA: string = '';

  /** Highest age of the newest block of a chain, in seconds. */
  @IsIntegerIn(1, 3_600)
  MAX_BLOCK_AGE_SECONDS: number = 60;

  /** Largest difference between the protocol's price of an asset and the service's, in basis points. */
  @IsIntegerIn(1, 2_000)
  PRICE_TOLERANCE_BPS: number = 200;

  /**
   * Switched off at the start, separated by commas: chain ids, protocol ids, or `<chain>/<protocol>`; `*`:
   * all.
   */
  @Matches(SWITCHES, {
    message: 'must be chain ids, protocol ids or <chain>/<protocol>, comma-separated, or *',
  })
  EXECUTION_OFF: string = '';

  /**
   * Encrypted file (Web3 Secret Storage, version 3, scrypt) with the key that triggers the executor
   * contracts. Empty: nothing is submitted.
   */
  @IsString()
  KEYSTORE_FILE: string = '';

  /** Password of that file. */
  @IsString()
  KEYSTORE_PASSWORD: string = '';

  /**
   * Blocks, including its own, after which a transaction is final: `<chain>:<blocks>`, separated by commas.
   */
  @Matches(/^(|\d+:\d+(,\d+:\d+)*)$/, { message: 'must be <chain>:<blocks>, comma-separated' })
  CONFIRMATIONS: string = '';

  /** The same for chains that are not listed. */
  @IsIntegerIn(1, 10_000)
  DEFAULT_CONFIRMATIONS: number = 12;

  /** Milliseconds after which a transaction without a block is sent again with a higher fee. */
  @IsIntegerIn(100, 3_600_000)
  STUCK_MS: number = 60_000;

  /** Highest offer for a unit of gas, in gwei. */
  @IsIntegerIn(1, 100_000)
  MAX_FEE_GWEI: number = 300;

  /** Milliseconds between two checks of a pending transaction. */
  @IsIntegerIn(10, 60_000)
  FOLLOW_POLL_MS: number = 1_000;

  /** Milliseconds after which another process takes over the work of a killed one. A live one renews its lease. */
  @IsIntegerIn(500, 600_000)
  LEASE_MS: number = 30_000;

  /** Days for which executions and the audit log are kept. */
  @IsDays()
  EXECUTION_DAYS: number = 400;
}
