import {
  CHAIN_ENDPOINTS_VALIDATION,
  type ChainEndpoints,
  isNodeAddressVariable,
  parseChainEndpoints,
} from '@plimsoll/evm';
import {
  IsIntegerIn,
  IsPostgresUrl,
  IsSecretKeys,
  IsKeyManagement,
  SecretsConfig,
  loadConfig,
  withFileVariables,
} from '@plimsoll/service-kit';
import { IsString, Matches, ValidateBy, ValidateIf } from 'class-validator';

export class PositionsConfig extends SecretsConfig {
  static override readonly service = 'positions';

  /**
   * The chains to read, one for each pair of variables in the environment. At least one chain is required.
   * - RPC_URL_<chainId>: http(s) address of the node, or several with commas between, in order of preference. A node
   *   that is silent, overloaded, on another chain or more than 3 blocks behind is skipped
   * - RPC_QUORUM_<chainId>: how many of these nodes must return the same block hashes, logs and results: more than half.
   *   Values that differ are unreadable with nodes_disagree. Absent: the first that responds is believed
   * - RPC_WS_URL_<chainId>: ws(s) address of the same node; new blocks are then pushed instead of polled
   */
  @ValidateBy(CHAIN_ENDPOINTS_VALIDATION)
  RPC_URL: ChainEndpoints = parseChainEndpoints(withFileVariables(process.env, isNodeAddressVariable));

  /** JSON file with addresses that override the protocol registry. Empty: the registry as shipped. */
  @IsString()
  REGISTRY_OVERLAY: string = '';

  /**
   * Keys that encrypt the private keys of receipts at rest. The first key encrypts and all decrypt. A key that
   * is in use cannot be removed. A changed file is read again. Empty: no receipts are made.
   */
  @ValidateIf(({ RECEIPT_SECRET_KEYS }: PositionsConfig) => RECEIPT_SECRET_KEYS !== '')
  @IsSecretKeys()
  RECEIPT_SECRET_KEYS: string = '';

  /** Chain on which an account writes each root of the log of receipts: one of RPC_URL_<chainId>. 0: none. */
  @IsIntegerIn(0)
  ANCHOR_CHAIN_ID: number = 0;

  /** Private key of this account, which should hold little and do nothing else. Empty: no root is written. */
  @Matches(/^(|0x[0-9a-f]{64})$/, { message: 'must be 0x and 64 hexadecimal digits in lower case' })
  ANCHOR_PRIVATE_KEY: string = '';

  /**
   * The most that the transaction of a root may cost, in gwei, without the fee for layer 1 that OP-stack chains add. One
   * follows each hour.
   */
  @IsIntegerIn(1)
  ANCHOR_MAX_COST_GWEI: number = 1_000_000;

  /** Milliseconds between two polls for a new block while none are pushed. */
  @IsIntegerIn(50, 60_000)
  BLOCK_POLL_INTERVAL_MS: number = 1_000;

  /** Time limit of one request to a node, in milliseconds. */
  @IsIntegerIn(100, 30_000)
  RPC_TIMEOUT_MS: number = 5_000;

  /** The longest silence of chain.v1 for a chain. */
  @IsIntegerIn(1_000, 300_000)
  CHAIN_HEARTBEAT_MS: number = 15_000;

  /** Milliseconds after which a position that did not change gets another snapshot. */
  @IsIntegerIn(1_000, 86_400_000)
  SNAPSHOT_INTERVAL_MS: number = 3_600_000;

  /** Milliseconds between two reads of the rates of a market. */
  @IsIntegerIn(1_000, 3_600_000)
  RATES_INTERVAL_MS: number = 300_000;

  /** The longest silence of oracle-price.v1 for a market that can be read, in milliseconds. */
  @IsIntegerIn(1_000, 300_000)
  ORACLE_PRICES_INTERVAL_MS: number = 60_000;

  /** The longest silence of parameter-change.v1 for a market that can be read, in milliseconds. */
  @IsIntegerIn(1_000, 3_600_000)
  PARAMETER_CHANGES_INTERVAL_MS: number = 300_000;

  /**
   * Milliseconds without a heartbeat after which an instance counts as stopped, and the others follow its
   * wallets.
   */
  @IsIntegerIn(500, 60_000)
  SHARD_LEASE_MS: number = 5_000;

  /** Milliseconds between two queries for wallets that other instances began or stopped to watch. */
  @IsIntegerIn(100)
  TRACKING_REFRESH_MS: number = 5_000;
}

/** Variables of the admin command that lists the keys of receipts. */
export class ReceiptKeysConfig {
  @IsPostgresUrl()
  DATABASE_URL: string = '';
}

/** Variables of the admin command that rotates them. */
export class ReceiptRotationConfig extends ReceiptKeysConfig {
  @IsSecretKeys()
  RECEIPT_SECRET_KEYS: string = '';

  @IsKeyManagement()
  SECRET_KEYS_KMS: string = '';
}

/** @throws ConfigError that names every invalid variable */
export function loadReceiptKeysConfig(): ReceiptKeysConfig {
  return loadConfig(ReceiptKeysConfig, process.env);
}

/** @throws ConfigError that names every invalid variable */
export function loadReceiptRotationConfig(): ReceiptRotationConfig {
  return loadConfig(ReceiptRotationConfig, process.env);
}
