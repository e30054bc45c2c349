import { parseAbi, toEventSelector } from 'viem';

/** The Ethereum Vault Connector: the owner of an account, and its enabled vaults. */
export const evcAbi = parseAbi([
  'function getAccountOwner(address account) view returns (address)',
  'function getCollaterals(address account) view returns (address[])',
  'function getControllers(address account) view returns (address[])',
]);

/** An EVault, and the oracle that it names (euler-xyz/euler-vault-kit). */
export const vaultAbi = parseAbi([
  'function asset() view returns (address)',
  'function oracle() view returns (address)',
  'function unitOfAccount() view returns (address)',
  'function debtOf(address account) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function LTVLiquidation(address collateral) view returns (uint16)',
  'function accountLiquidityFull(address account, bool liquidation) view returns (address[] collaterals, uint256[] collateralValues, uint256 liabilityValue)',
  'function getQuotes(uint256 inAmount, address base, address quote) view returns (uint256 bidOutAmount, uint256 askOutAmount)',
]);

/** Events of the EVC that name an account which may hold something in a vault. */
export const ACCOUNT_TOPICS = [
  toEventSelector('CollateralStatus(address,address,bool)'),
  toEventSelector('ControllerStatus(address,address,bool)'),
];
