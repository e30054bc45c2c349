import { planOf, type BlockRef, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { type Address, parseAbi } from 'viem';
import type { ReadScope, RowScope } from '../reader/family';
import { addToken, type Token } from '../reader/tokens';

export const fluidAbi = parseAbi([
  'struct Tokens { address token0; address token1; }',
  'struct Constants { address liquidity; address factory; address operateImplementation; address adminImplementation; address secondaryImplementation; address deployer; address supply; address borrow; Tokens supplyToken; Tokens borrowToken; uint256 vaultId; uint256 vaultType; bytes32 supplyExchangePriceSlot; bytes32 borrowExchangePriceSlot; bytes32 userSupplySlot; bytes32 userBorrowSlot; }',
  'struct Configs { uint16 supplyRateMagnifier; uint16 borrowRateMagnifier; uint16 collateralFactor; uint16 liquidationThreshold; uint16 liquidationMaxLimit; uint16 withdrawalGap; uint16 liquidationPenalty; uint16 borrowFee; address oracle; uint256 oraclePriceOperate; uint256 oraclePriceLiquidate; address rebalancer; uint256 lastUpdateTimestamp; }',
  'struct ExchangePrices { uint256 lastLiquiditySupply; uint256 lastLiquidityBorrow; uint256 lastVaultSupply; uint256 lastVaultBorrow; uint256 liquiditySupply; uint256 liquidityBorrow; uint256 vaultSupply; uint256 vaultBorrow; uint256 supplyRateLiquidity; uint256 borrowRateLiquidity; int256 supplyRateVault; int256 borrowRateVault; int256 rewardsOrFeeRateSupply; int256 rewardsOrFeeRateBorrow; }',
  'struct Vault { address vault; bool isSmartCol; bool isSmartDebt; Constants constants; Configs configs; ExchangePrices exchangePrices; Totals totals; }',
  'struct Totals { uint256 totalSupplyVault; uint256 totalBorrowVault; }',
  'struct Position { uint256 nftId; address owner; bool isLiquidated; bool isSupplyPosition; int256 tick; uint256 tickId; uint256 beforeSupply; uint256 beforeBorrow; uint256 beforeDustBorrow; uint256 supply; uint256 borrow; uint256 dustBorrow; }',
  'function getAllVaultsAddresses() view returns (address[] vaults)',
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

/** The address that Fluid uses for the chain's own coin. */
export const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
/** Shares of a DEX have 18 decimals, independent of its tokens. */
const SHARE_DECIMALS = 18;

/** A token, or shares of a DEX with their two tokens. */
export interface FluidSide extends Token {
  pair?: readonly [Token, Token];
}

/** The collateral and debt of a vault. */
export interface FluidSides {
  supply: FluidSide;
  borrow: FluidSide;
}

/** The resolver with the vaults in which positions were found. */
export interface FluidLayout {
  resolver: Address;
  /** The key is the address of the vault. */
  vaults: ReadonlyMap<Address, FluidSides>;
}

/**
 * The vaults in which positions were found, with the names of their tokens. Vaults that cannot be read are omitted.
 * @throws ChainReadError
 */
export async function readFluidLayout(
  { row, multicall, nativeCurrency }: ReadScope,
  block: BlockRef,
  keys: readonly string[],
): Promise<FluidLayout> {
  const resolver = contractOf(row, 'vaultResolver');
  const plan = planOf(row, 'vaults');
  const total = plan.call(resolver, fluidAbi, 'getTotalVaults', []);
  const slots = keys.map((vault) => plan.call(resolver, fluidAbi, 'getVaultEntireData', [vault as Address]));
  const known = await multicall.read(
    plan.build(({ value, outcome }) => {
      value(total);
      return slots.flatMap((slot, index) => {
        const result = outcome(slot);
        if (!result.ok) return [];
        const { constants, isSmartCol, isSmartDebt } = result.value;
        const { supply, borrow, supplyToken, borrowToken } = constants;
        return [
          {
            vault: keys[index] as Address,
            supply: { tokens: supplyToken, dex: isSmartCol ? lowerCase(supply) : null },
            borrow: { tokens: borrowToken, dex: isSmartDebt ? lowerCase(borrow) : null },
          },
        ];
      });
    }),
    block,
  );
  const names = planOf(row, 'tokens');
  const native: Token = { address: NATIVE, symbol: nativeCurrency, decimals: 18 };
  const add = (token: Address) =>
    lowerCase(token) === NATIVE ? () => native : addToken(names, lowerCase(token));
  const side = ({ tokens, dex }: (typeof known)[number]['supply']) => {
    const first = add(tokens.token0);
    if (!dex) return first;
    const second = add(tokens.token1);
    return (results: Parameters<typeof first>[0]): FluidSide | null => {
      const [one, other] = [first(results), second(results)];
      if (!one || !other) return null;
      const symbol = `${one.symbol}/${other.symbol}`;
      return { address: dex, symbol, decimals: SHARE_DECIMALS, pair: [one, other] };
    };
  };
  const named = known.map(({ vault, supply, borrow }) => ({
    vault,
    supply: side(supply),
    borrow: side(borrow),
  }));
  const vaults = await multicall.read(
    names.build((results) =>
      named.flatMap(({ vault, supply, borrow }): [Address, FluidSides][] => {
        const [secured, owed] = [supply(results), borrow(results)];
        return secured && owed ? [[vault, { supply: secured, borrow: owed }]] : [];
      }),
    ),
    block,
  );
  return { resolver, vaults: new Map(vaults) };
}

// The resolver returns far longer structs, all of words without offsets. Only their first words are read.

/** The addresses of all vaults. @throws ChainReadError */
export async function readVaults(scope: RowScope, block: BlockRef): Promise<Address[]> {
  const vaults = await readAll(scope, 'vaults', block, (plan) =>
    plan.call(contractOf(scope.row, 'vaultResolver'), fluidAbi, 'getAllVaultsAddresses', []),
  );
  return vaults.map(lowerCase);
}
