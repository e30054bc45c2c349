import { parseAbi } from 'viem';

// The resolver returns far longer structs, all of words without offsets. Only their first words are read.
export const fluidAbi = parseAbi([
  'struct Tokens { address token0; address token1; }',
  'struct Constants { address liquidity; address factory; address operateImplementation; address adminImplementation; address secondaryImplementation; address deployer; address supply; address borrow; Tokens supplyToken; Tokens borrowToken; uint256 vaultId; uint256 vaultType; bytes32 supplyExchangePriceSlot; bytes32 borrowExchangePriceSlot; bytes32 userSupplySlot; bytes32 userBorrowSlot; }',
  'struct Configs { uint16 supplyRateMagnifier; uint16 borrowRateMagnifier; uint16 collateralFactor; uint16 liquidationThreshold; uint16 liquidationMaxLimit; uint16 withdrawalGap; uint16 liquidationPenalty; uint16 borrowFee; address oracle; uint256 oraclePriceOperate; uint256 oraclePriceLiquidate; address rebalancer; uint256 lastUpdateTimestamp; }',
  'struct ExchangePrices { uint256 lastLiquiditySupply; uint256 lastLiquidityBorrow; uint256 lastVaultSupply; uint256 lastVaultBorrow; uint256 liquiditySupply; uint256 liquidityBorrow; uint256 vaultSupply; uint256 vaultBorrow; uint256 supplyRateLiquidity; uint256 borrowRateLiquidity; int256 supplyRateVault; int256 borrowRateVault; int256 rewardsOrFeeRateSupply; int256 rewardsOrFeeRateBorrow; }',
  'struct Vault { address vault; bool isSmartCol; bool isSmartDebt; Constants constants; Configs configs; ExchangePrices exchangePrices; Totals totals; }',
  'struct Totals { uint256 totalSupplyVault; uint256 totalBorrowVault; }',
  'struct Position { uint256 nftId; address owner; bool isLiquidated; bool isSupplyPosition; int256 tick; uint256 tickId; uint256 beforeSupply; uint256 beforeBorrow; uint256 beforeDustBorrow; uint256 supply; uint256 borrow; uint256 dustBorrow; }',
  'function getTotalVaults() view returns (uint256)',
  'function getVaultEntireData(address vault) view returns (Vault)',
  'function positionsNftIdOfUser(address user) view returns (uint256[])',
  'function vaultByNftId(uint256 nftId) view returns (address)',
  'function positionByNftId(uint256 nftId) view returns (Position)',
]);

/** The resolver of the DEXes. It is not a view: an eth_call returns the state in the block. */
export const dexAbi = parseAbi([
  'struct ShiftData { uint256 oldUpper; uint256 oldLower; uint256 duration; uint256 startTimestamp; uint256 oldTime; }',
  'struct CenterPriceShift { uint256 shiftPercentage; uint256 duration; uint256 startTimestamp; }',
  'struct ShiftChanges { bool isRangeChangeActive; bool isThresholdChangeActive; bool isCenterPriceShiftActive; ShiftData rangeShift; ShiftData thresholdShift; CenterPriceShift centerPriceShift; }',
  'struct DexState { uint256 lastToLastStoredPrice; uint256 lastStoredPrice; uint256 centerPrice; uint256 lastUpdateTimestamp; uint256 lastPricesTimeDiff; uint256 oracleCheckPoint; uint256 oracleMapping; uint256 totalSupplyShares; uint256 totalBorrowShares; bool isSwapAndArbitragePaused; ShiftChanges shifts; uint256 token0PerSupplyShare; uint256 token1PerSupplyShare; uint256 token0PerBorrowShare; uint256 token1PerBorrowShare; }',
  'function getDexState(address dex) view returns (DexState)',
]);
