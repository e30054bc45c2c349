import { EventServiceConfig } from '@plimsoll/service-kit';
import { IsInt, IsString, Max, Min, ValidateBy } from 'class-validator';
import { type ChainEndpoints, isChainEndpoints, parseChainEndpoints } from './chains/chain-endpoints';

export class PositionsConfig extends EventServiceConfig {
  /**
   * The chains to read, one for each pair of variables in the environment:
   * RPC_URL_<chainId>     http(s) address of the node; at least one chain is required
   * RPC_WS_URL_<chainId>  ws(s) address of the same node; with it new blocks are pushed instead of polled
   */
  @ValidateBy({
    name: 'isChainEndpoints',
    validator: {
      validate: (value) => isChainEndpoints(value) && value.problem === null,
      defaultMessage: (context) =>
        isChainEndpoints(context?.value) && context.value.problem !== null
          ? context.value.problem
          : 'is no variable by itself: set RPC_URL_<chainId>',
    },
  })
  RPC_URL: ChainEndpoints = parseChainEndpoints(process.env);

  /** JSON file with addresses that are put over the protocol registry; empty: the registry as it ships. */
  @IsString()
  REGISTRY_OVERLAY: string = '';

  /** Milliseconds between two looks for a new block while none are pushed. */
  @IsInt()
  @Min(50)
  @Max(60_000)
  BLOCK_POLL_INTERVAL_MS: number = 1_000;

  /** Milliseconds one request to a node may take. */
  @IsInt()
  @Min(100)
  @Max(30_000)
  RPC_TIMEOUT_MS: number = 5_000;

  /** Milliseconds between two looks for wallets that other instances began or ceased to watch. */
  @IsInt()
  @Min(100)
  TRACKING_REFRESH_MS: number = 5_000;
}
