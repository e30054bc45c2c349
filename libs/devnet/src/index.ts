export { deployDevnet, isDeployed, type DevnetTarget } from './deploy-devnet';
export { devnetAsset, type DevnetAddresses, type DevnetAsset } from './addresses';
export { registryOverlay, DEVNET_MARKET, type RegistryOverlayFile } from './registry-overlay';
export { tokenAbi } from './aave/abis';
export { ASSETS, STABLE_E_MODE, assetListing, marketSymbol, type AssetListing } from './aave/assets';
export { seedPositions, seededWallets, type SeededWallet } from './seed/seed-positions';
export { demoWallet, type DemoWallet } from './seed/wallets';
export { USD, tokenAmount } from './seed/amounts';
export { seedCirculation } from './seed/seed-circulation';
export { seedFamilies, type SeededFamilies } from './seed/seed-families';
export { SEED_PLANS, type SeedPlan } from './seed/plan';
export { readPrices, setPrice, toPriceRaw, type PriceChange } from './market/set-price';
export {
  MarketSimulation,
  shockPrice,
  type MarketSimulationOptions,
  DEVNET_DYNAMICS,
} from './market/market-simulation';
export { ACTORS, EXCHANGE, TREASURIES, actorNamed, type Actor } from './actors/actors';
export { ACT_KINDS, type ActKind, type HeldAsset } from './actors/choose-act';
export {
  WhaleSimulation,
  type ActorView,
  type CompletedAct,
  type WhaleSimulationOptions,
} from './actors/whale-simulation';
export { stepPrices, type AssetDynamics } from './market/step-prices';
export { seededRandom, type Random } from './market/random';
export { TransactionQueue } from './evm/transaction-queue';
export { RefusedAct } from './evm/refused-act';
export { connectAnvil, operatorOf, type AnvilRpc } from './evm/rpc';
export { linkBytecode, type Artifact } from './evm/artifacts';
export { installMulticall3 } from './evm/multicall3';
export { deployEns, type LocalEns } from './ens/deploy-ens';
export { compileSolidity, PACKAGES_FOLDER, type SolidityInput } from './solidity/compile';
export { morphoArtifacts, type MorphoArtifact } from './morpho/artifacts';
export {
  deployMorpho,
  morphoMarketId,
  type MorphoAddresses,
  type MorphoListing,
  type MorphoMarketAddresses,
} from './morpho/deploy-morpho';
export { seedMorpho } from './morpho/seed-morpho';
export { venusArtifacts, type VenusArtifact } from './venus/artifacts';
export { deployVenusPool, type VenusListing, type VenusPool } from './venus/deploy-venus';
export { venueArtifact } from './venue/artifacts';
export { deployVenue } from './venue/deploy-venue';
export { seedVenus } from './venus/seed-venus';
export { queuedChain, dataOf, type Call, type QueuedChain } from './evm/queued-chain';
export { venusCoreArtifacts, type VenusCoreArtifact } from './venus-core/artifacts';
export { STABLE_POOL, deployVenusCore, type VenusCoreListing, type VenusCorePool } from './venus-core/deploy';
