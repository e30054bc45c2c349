import { planOf, type BlockRef, contractOf, lowerCase, readAll } from '@plimsoll/evm';
import { zeroAddress, type Address, parseAbi, toEventSelector } from 'viem';
import type { RowScope } from '../reader/family';

/** The factory, the config of a market, silos, share tokens and oracles (silo-contracts-v2). */
export const siloAbi = parseAbi([
  'struct ConfigData { uint256 daoFee; uint256 deployerFee; address silo; address token; address protectedShareToken; address collateralShareToken; address debtShareToken; address solvencyOracle; address maxLtvOracle; address interestRateModel; uint256 maxLtv; uint256 lt; uint256 liquidationTargetLtv; uint256 liquidationFee; uint256 flashloanFee; address hookReceiver; bool callBeforeQuote; }',
  'function getNextSiloId() view returns (uint256)',
  'function idToSiloConfig(uint256 id) view returns (address)',
  'function getSilos() view returns (address silo0, address silo1)',
  'function getConfig(address silo) view returns (ConfigData)',
  'function getConfigsForSolvency(address borrower) view returns (ConfigData collateral, ConfigData debt)',
  'function getCollateralAssets() view returns (uint256)',
  'function getDebtAssets() view returns (uint256)',
  'function getTotalAssetsStorage(uint8 assetType) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function quote(uint256 amount, address token) view returns (uint256)',
  'function quoteToken() view returns (address)',
]);

/** One of the two silos of a market. */
export interface SiloSide {
  silo: Address;
  token: Address;
  protectedShares: Address;
  collateralShares: Address;
  debtShares: Address;
  /** Null if the token itself is the currency of the market. */
  oracle: Address | null;
  /** Wad. */
  threshold: bigint;
  /** The share that a liquidator receives above the repaid debt. Wad. */
  liquidationFee: bigint;
}

/** A market of two silos. */
export interface SiloPair {
  config: Address;
  sides: readonly [SiloSide, SiloSide];
  /** The currency of the oracles' quotes. */
  quoteToken: Address;
}

/** The ids of all markets of a factory. @throws ChainReadError */
export async function readSiloIds(scope: RowScope, block: BlockRef): Promise<string[]> {
  const next = await readAll(scope, 'factory', block, (plan) =>
    plan.call(contractOf(scope.row, 'factory'), siloAbi, 'getNextSiloId', []),
  );
  return Array.from({ length: Number(next) - 1 }, (_, index) => String(index + 1));
}

/**
 * The markets of a factory with these ids, as far as governance cannot change them. @throws ChainReadError
 */
export async function readSiloPairs(
  { row, multicall }: RowScope,
  block: BlockRef,
  ids: readonly string[],
): Promise<{ nextId: bigint; pairs: Map<string, SiloPair> }> {
  const factory = contractOf(row, 'factory');
  const entry = planOf(row, 'silo configs');
  const next = entry.call(factory, siloAbi, 'getNextSiloId', []);
  const configSlots = ids.map((id) => entry.call(factory, siloAbi, 'idToSiloConfig', [BigInt(id)]));
  const { nextId, configs } = await multicall.read(
    entry.build(({ value }) => ({
      nextId: value(next),
      configs: configSlots.map((slot) => lowerCase(value(slot))),
    })),
    block,
  );
  const silos = await readAll({ row, multicall }, 'silos', block, (plan) =>
    configs.map((config) => plan.call(config, siloAbi, 'getSilos', [])),
  );
  const plan = planOf(row, 'silo settings');
  const sideSlots = silos.map((pair, index) =>
    pair.map((silo) => plan.call(configs[index]!, siloAbi, 'getConfig', [silo])),
  );
  const sides = await multicall.read(
    plan.build(({ value }) => sideSlots.map((pair) => pair.map((slot) => sideOf(value(slot))))),
    block,
  );
  const quotes = planOf(row, 'quote tokens');
  const quoteSlots = sides.map((pair) => {
    const oracle = pair.find((side) => side.oracle)?.oracle;
    return oracle ? quotes.call(oracle, siloAbi, 'quoteToken', []) : null;
  });
  return multicall.read(
    quotes.build(({ value }) => {
      const pairs = sides.map(([first, second], index): [string, SiloPair] => {
        const slot = quoteSlots[index];
        const quoteToken = slot ? lowerCase(value(slot)) : first!.token;
        return [ids[index]!, { config: configs[index]!, sides: [first!, second!], quoteToken }];
      });
      return { nextId, pairs: new Map(pairs) };
    }),
    block,
  );
}

function sideOf(config: {
  silo: Address;
  token: Address;
  protectedShareToken: Address;
  collateralShareToken: Address;
  debtShareToken: Address;
  solvencyOracle: Address;
  lt: bigint;
  liquidationFee: bigint;
}): SiloSide {
  const oracle = lowerCase(config.solvencyOracle);
  return {
    silo: lowerCase(config.silo),
    token: lowerCase(config.token),
    protectedShares: lowerCase(config.protectedShareToken),
    collateralShares: lowerCase(config.collateralShareToken),
    debtShares: lowerCase(config.debtShareToken),
    oracle: oracle === zeroAddress ? null : oracle,
    threshold: config.lt,
    liquidationFee: config.liquidationFee,
  };
}

/** ISilo.AssetType of deposits that are not lent. */
export const PROTECTED = 0;
/** The transfer of a share token. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
