import { riskLevelOf } from '../../risk/levels';
import { POSITION_ID, WALLET } from '../fields';

export const LISTED = {
  id: POSITION_ID,
  protocol: 'aave-v3',
  chainId: 1,
  market: 'AaveV3Ethereum',
  wallet: WALLET,
  healthFactor: 1.2375,
  healthFactorRaw: '1237500000000000000',
  verification: 'contract' as const,
  totalCollateralUsd: 7_500,
  totalDebtUsd: 5_000,
  totalSuppliedUsd: 7_500,
  netWorthUsd: 2_500,
  isDust: false,
  ...riskLevelOf(1.2375, null),
  probability7d: null,
  flags: [],
};
