import { walletEvents } from '@plimsoll/evm';
import { parseAbi } from 'viem';
import type { Family } from '../reader/family';
import { planAccounts, type AaveV3Account } from './accounts';
import { readAaveV3Announcements } from './announcements';
import { evaluateAccount } from './evaluate';
import { planFigures, planReserve, planTotals, reserveRates } from './figures';
import { readLayout, type AaveV3Layout } from './layout';
import { planMarket, type AaveV3Market } from './market';
import { aaveV3Ratios } from './ratios';

const { topics, walletsOf } = walletEvents(
  parseAbi([
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
  ]),
  {
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
  },
);

/** The pool's events and the transfers of its tokens: a mint or a burn is one, so no path of the protocol is missed. */
const touched: NonNullable<Family<AaveV3Layout, AaveV3Market, AaveV3Account>['touched']> = (market) => ({
  addresses: [
    market.layout.pool,
    ...market.reserves.flatMap(({ aToken, variableDebtToken, stableDebtToken }) =>
      stableDebtToken ? [aToken, variableDebtToken, stableDebtToken] : [aToken, variableDebtToken],
    ),
  ],
  topics,
  walletsOf,
});

/** Aave v3, Spark, HyperLend: one row is one pool. */
export const aaveV3: Family<AaveV3Layout, AaveV3Market, AaveV3Account> = {
  readLayout,
  readMarket: (scope, layout, block) => scope.multicall.read(planMarket(scope, layout, block), block),
  readAccounts: async ({ row, multicall }, holders, block, market) => {
    const wallets = holders.map(({ wallet }) => wallet);
    return multicall.read(planAccounts(row, await market(), wallets), block);
  },
  evaluate: (row, market, account) => evaluateAccount(row, market, account),
  planFigures,
  planTotals,
  readReserve: (scope, market, key) => scope.multicall.read(planReserve(scope, market, key), market.block),
  readRates: async (_scope, _block, market) => reserveRates(await market()),
  readAnnouncements: readAaveV3Announcements,
  touched,
  ratios: aaveV3Ratios,
};
