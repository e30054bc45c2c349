import { parseAbi } from 'viem';

/** The Ethereum Vault Connector: the owner of an account, and its enabled vaults. */
export const evcAbi = parseAbi([
  'function getAccountOwner(address account) view returns (address)',
  'function getCollaterals(address account) view returns (address[])',
  'function getControllers(address account) view returns (address[])',
]);

/** The factory of the vaults. */
export const factoryAbi = parseAbi([
  'function getProxyListLength() view returns (uint256)',
  'function getProxyListSlice(uint256 start, uint256 end) view returns (address[] list)',
]);

/** An EVault, and the oracle that it names (euler-xyz/euler-vault-kit). */
export const vaultAbi = parseAbi([
  'function asset() view returns (address)',
  'function totalAssets() view returns (uint256)',
  'function totalBorrows() view returns (uint256)',
  'function interestRate() view returns (uint256)',
  'function interestFee() view returns (uint16)',
  'function oracle() view returns (address)',
  'function unitOfAccount() view returns (address)',
  'function debtOf(address account) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function LTVLiquidation(address collateral) view returns (uint16)',
  'function LTVFull(address collateral) view returns (uint16 borrowLTV, uint16 liquidationLTV, uint16 initialLiquidationLTV, uint48 targetTimestamp, uint32 rampDuration)',
  'function maxLiquidationDiscount() view returns (uint16)',
  'function accountLiquidityFull(address account, bool liquidation) view returns (address[] collaterals, uint256[] collateralValues, uint256 liabilityValue)',
  'function getQuote(uint256 inAmount, address base, address quote) view returns (uint256 outAmount)',
]);
