// The launcher needs these after the start of the parts. It loads this while they start, because that takes two seconds
// of a core.
export { ensureDemoAccounts, ensureDemoWallets } from '../demo/demo-accounts';
export { LocalMarket } from '../market/market';
export { demoWalletAddresses } from '../parts/deploy-market';
export { KEEPER_PASSWORD, ensureExecutors, ensureKeeperFile } from '../parts/executors';
export { writeRegistryOverlay } from '../parts/registry-overlay';
export { loadSecrets } from '../settings/secrets';
