import { numberToHex, parseAbi, slice, toEventSelector, zeroAddress, type Address, type Hex } from 'viem';
import type { ChainClient } from '../../rpc/chain-client';
import { ChainReadError } from '../../rpc/chain-read-error';
import type { AaveV3Market } from './market';

const events = parseAbi([
  'event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
  'event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)',
  'event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 interestRateMode, uint256 borrowRate, uint16 indexed referralCode)',
  'event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens)',
  'event LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken)',
  'event ReserveUsedAsCollateralEnabled(address indexed reserve, address indexed user)',
  'event ReserveUsedAsCollateralDisabled(address indexed reserve, address indexed user)',
  'event SwapBorrowRateMode(address indexed reserve, address indexed user, uint8 interestRateMode)',
  'event RebalanceStableBorrowRate(address indexed reserve, address indexed user)',
  'event UserEModeSet(address indexed user, uint8 categoryId)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** Topics that hold a wallet whose holdings the event changes, by event. */
const WALLET_TOPICS: Readonly<Record<(typeof events)[number]['name'], readonly number[]>> = {
  Supply: [2],
  Withdraw: [2],
  Borrow: [2],
  Repay: [2],
  LiquidationCall: [3],
  ReserveUsedAsCollateralEnabled: [2],
  ReserveUsedAsCollateralDisabled: [2],
  SwapBorrowRateMode: [2],
  RebalanceStableBorrowRate: [2],
  UserEModeSet: [1],
  Transfer: [1, 2],
};
const WALLETS_BY_TOPIC0 = new Map(events.map((event) => [toEventSelector(event), WALLET_TOPICS[event.name]]));

const MAX_RANGE = 2_000n;

interface RpcLog {
  topics: Hex[];
}

/**
 * Wallets whose holdings changed, from the pool's events and the transfers of its tokens (a mint or a burn is one, so
 * that no path of the protocol is missed). Wide ranges are read in parts, and in smaller ones where a node refuses.
 * @throws ChainReadError
 */
export async function readTouchedWallets(
  client: ChainClient,
  market: AaveV3Market,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Address[]> {
  const tokens = market.reserves.flatMap(({ aToken, variableDebtToken, stableDebtToken }) =>
    stableDebtToken ? [aToken, variableDebtToken, stableDebtToken] : [aToken, variableDebtToken],
  );
  const wallets = new Set<Address>();
  let range = MAX_RANGE;
  for (let from = fromBlock; from <= toBlock;) {
    const to = from + range - 1n < toBlock ? from + range - 1n : toBlock;
    try {
      for (const log of await getLogs(client, [market.layout.pool, ...tokens], from, to))
        addWallets(log, wallets);
      from = to + 1n;
    } catch (error) {
      const refused = error instanceof ChainReadError && error.code === 'rpc_rejected';
      if (!refused || range === 1n) throw error;
      range /= 2n;
    }
  }
  return [...wallets];
}

function getLogs(
  client: ChainClient,
  address: readonly Address[],
  from: bigint,
  to: bigint,
): Promise<RpcLog[]> {
  const topics = [[...WALLETS_BY_TOPIC0.keys()]];
  return client.request('eth_getLogs', [
    { address, topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) },
  ]);
}

function addWallets({ topics }: RpcLog, wallets: Set<Address>): void {
  for (const index of WALLETS_BY_TOPIC0.get(topics[0] ?? '0x') ?? []) {
    const topic = topics[index];
    const wallet = topic && slice(topic, 12);
    if (wallet && wallet !== zeroAddress) wallets.add(wallet);
  }
}
