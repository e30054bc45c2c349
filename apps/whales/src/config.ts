import {
  CHAIN_ENDPOINTS_VALIDATION,
  type ChainEndpoints,
  isNodeAddressVariable,
  parseChainEndpoints,
} from '@plimsoll/evm';
import { EventServiceConfig, IsDays, IsIntegerIn, IsOrigin, withFileVariables } from '@plimsoll/service-kit';
import { IsNumber, IsString, Min, ValidateBy, ValidateIf } from 'class-validator';

export class WhalesConfig extends EventServiceConfig {
  static override readonly service = 'whales';

  /**
   * The chains whose logs are read, one for each pair of variables in the environment. At least one chain is required.
   * - RPC_URL_<chainId>: http(s) address of the node, or several with commas between, in order of preference
   * - RPC_QUORUM_<chainId>: how many of these nodes must return the same; absent: the first that responds is believed
   * - RPC_WS_URL_<chainId>: ws(s) address of the same node; new blocks are then pushed instead of polled
   */
  @ValidateBy(CHAIN_ENDPOINTS_VALIDATION)
  RPC_URL: ChainEndpoints = parseChainEndpoints(withFileVariables(process.env, isNodeAddressVariable));

  /** JSON file with addresses that override the protocol registry. Empty: the registry as shipped. */
  @IsString()
  REGISTRY_OVERLAY: string = '';

  /** Origin of the positions service, which resolves ENS names. Empty: only addresses are accepted. */
  @ValidateIf(({ UPSTREAM_POSITIONS }: WhalesConfig) => UPSTREAM_POSITIONS !== '')
  @IsOrigin()
  UPSTREAM_POSITIONS: string = '';

  /** Milliseconds for one request to a node. */
  @IsIntegerIn(100, 30_000)
  RPC_TIMEOUT_MS: number = 10_000;

  /** Milliseconds between two checks for a new block while none are pushed. */
  @IsIntegerIn(50, 60_000)
  BLOCK_POLL_INTERVAL_MS: number = 2_000;

  /** Blocks before the newest one at which a new chain begins. */
  @IsIntegerIn(0, 50_000_000)
  BACKFILL_BLOCKS: number = 50_000;

  /** Blocks that are read, and written in one transaction, per step while behind. */
  @IsIntegerIn(1, 20_000)
  STEP_BLOCKS: number = 1_000;

  /** Days for which moves are kept. */
  @IsDays()
  ACTIVITY_DAYS: number = 90;

  /** A move of at least this many USD is published. A wallet that holds or moved as much is a whale. */
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  WHALE_THRESHOLD_USD: number = 1_000_000;

  /** Milliseconds between two computations of the clusters. */
  @IsIntegerIn(100, 3_600_000)
  CLUSTER_INTERVAL_MS: number = 60_000;

  /** Number of wallets with the largest moves whose transfers and owners are checked for clusters. */
  @IsIntegerIn(1, 100_000)
  TRACKED_WALLETS: number = 2_000;

  /**
   * Wallets of each chain whose funder is searched per computation of the clusters. It needs about fifty
   * requests each, once, to a node with old state. 0: none.
   */
  @IsIntegerIn(0, 1_000)
  NATIVE_FUNDERS_A_ROUND: number = 10;

  /**
   * Milliseconds that large moves of one range of blocks wait for their effects. Effects that are not read by
   * then are published as unknown. 0: none are read.
   */
  @IsIntegerIn(0, 60_000)
  EFFECTS_BUDGET_MS: number = 2_000;

  /**
   * Tokens and positions that moved between two wallets, or a payment for another, are evidence from this
   * many USD.
   */
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  EVIDENCE_FLOOR_USD: number = 1_000;
}
