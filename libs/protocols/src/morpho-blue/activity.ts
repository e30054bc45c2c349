import { contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { parseAbi, type Address, type Hex } from 'viem';
import { addUsdPrice } from '../reader/usd-price';
import type { ActivityFamily } from '../activity/activity-family';
import { EventTable } from '../activity/event-table';

const abi = parseAbi([
  'struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function idToMarketParams(bytes32 id) view returns (MarketParams)',
]);

const LOAN = { of: 'loan' } as const;
const COLLATERAL = { of: 'collateral' } as const;
const events = new EventTable({
  'event Supply(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets, uint256 shares)':
    {
      action: 'supply',
      wallet: 'onBehalf',
      counterparty: 'caller',
      amount: 'assets',
      token: LOAN,
      subId: 'id',
    },
  'event Withdraw(bytes32 indexed id, address caller, address indexed onBehalf, address indexed receiver, uint256 assets, uint256 shares)':
    {
      action: 'withdraw',
      wallet: 'onBehalf',
      counterparty: 'receiver',
      amount: 'assets',
      token: LOAN,
      subId: 'id',
    },
  'event Borrow(bytes32 indexed id, address caller, address indexed onBehalf, address indexed receiver, uint256 assets, uint256 shares)':
    {
      action: 'borrow',
      wallet: 'onBehalf',
      counterparty: 'receiver',
      amount: 'assets',
      token: LOAN,
      subId: 'id',
    },
  'event Repay(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets, uint256 shares)':
    {
      action: 'repay',
      wallet: 'onBehalf',
      counterparty: 'caller',
      amount: 'assets',
      token: LOAN,
      subId: 'id',
    },
  'event SupplyCollateral(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets)':
    {
      action: 'supply',
      wallet: 'onBehalf',
      counterparty: 'caller',
      amount: 'assets',
      token: COLLATERAL,
      subId: 'id',
    },
  'event WithdrawCollateral(bytes32 indexed id, address caller, address indexed onBehalf, address indexed receiver, uint256 assets)':
    {
      action: 'withdraw',
      wallet: 'onBehalf',
      counterparty: 'receiver',
      amount: 'assets',
      token: COLLATERAL,
      subId: 'id',
    },
  'event Liquidate(bytes32 indexed id, address indexed caller, address indexed borrower, uint256 repaidAssets, uint256 repaidShares, uint256 seizedAssets, uint256 badDebtAssets, uint256 badDebtShares)':
    {
      action: 'liquidation',
      wallet: 'borrower',
      counterparty: 'caller',
      amount: 'repaidAssets',
      token: LOAN,
      subId: 'id',
    },
  'event SetAuthorization(address indexed caller, address indexed authorizer, address indexed authorized, bool newIsAuthorized)':
    { permission: { wallet: 'authorizer', delegate: 'authorized', isGranted: 'newIsAuthorized' } },
});

interface MorphoMarkets {
  morpho: Address;
  markets: ReadonlyMap<string, { loan: Address; collateral: Address }>;
}

/** Morpho Blue, Lista Lending: the singleton. Logs name its markets. */
export const morphoActivity: ActivityFamily<MorphoMarkets> = {
  events,
  readSource: ({ row }) => Promise.resolve({ morpho: contractOf(row, 'morpho'), markets: new Map() }),
  addressesOf: ({ morpho }) => [morpho],
  learn: async ({ row, multicall }, source, logs, block) => {
    const named = new Set<string>();
    for (const log of logs) {
      events.read(log, {
        tokenOf: (_of, _log, subId) => {
          named.add(subId);
          return null;
        },
      });
    }
    const ids = [...named].filter((id) => !source.markets.has(id)) as Hex[];
    if (ids.length === 0) return source;
    const read = await readAll({ row, multicall }, 'markets', block, (plan) =>
      ids.map((id) => plan.call(source.morpho, abi, 'idToMarketParams', [id])),
    );
    const learned = ids.map((id, at) => {
      const { loanToken, collateralToken } = read[at]!;
      return [id, { loan: lowerCase(loanToken), collateral: lowerCase(collateralToken) }] as const;
    });
    return { ...source, markets: new Map([...source.markets, ...learned]) };
  },
  tokenOf: ({ markets }, of, _log, subId) => {
    const market = markets.get(subId);
    return (of === 'loan' ? market?.loan : market?.collateral) ?? null;
  },
  // Any account can open a market with its own oracle, so only the oracles of the chain count.
  addUsdPrice: (plan, { usdOracles }, _source, token) => addUsdPrice(plan, usdOracles, token),
};
