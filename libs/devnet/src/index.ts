export { deployDevnet, isDeployed, type DevnetTarget } from './deploy-devnet';
export { devnetAsset, type DevnetAddresses, type DevnetAsset } from './addresses';
export { registryOverlay, DEVNET_MARKET } from './registry-overlay';
export { ASSETS, STABLE_E_MODE, assetListing, marketSymbol, type AssetListing } from './aave/assets';
