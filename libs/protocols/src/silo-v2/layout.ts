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
  'function isSolvent(address borrower) view returns (bool)',
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
  rateModel: Address;
  /** The part of the interest that suppliers do not receive. Wad. */
  fee: bigint;
}

/** A market of two silos. */
export interface SiloPair {
  config: Address;
  sides: readonly [SiloSide, SiloSide];
  /** The currency of the oracles' quotes. Null if its oracle does not state it. */
  quoteToken: Address | null;
}

/**
 * The ids of all markets of a factory. Its first id differs: SiloFactory.sol of silo-contracts-v2 starts at 100, and the
 * first factory of Sonic at 1. An id without a market has no config. @throws ChainReadError
 */
export async function readSiloIds(scope: RowScope, block: BlockRef): Promise<string[]> {
  const factory = contractOf(scope.row, 'factory');
  const next = await readAll(scope, 'factory', block, (plan) =>
    plan.call(factory, siloAbi, 'getNextSiloId', []),
  );
  const ids = Array.from({ length: Number(next) - 1 }, (_, index) => BigInt(index + 1));
  const configs = await readAll(scope, 'silo ids', block, (plan) =>
    ids.map((id) => plan.call(factory, siloAbi, 'idToSiloConfig', [id])),
  );
  return ids.filter((_, index) => configs[index] !== zeroAddress).map(String);
}

/**
 * The markets of a factory with these ids, as far as governance cannot change them. A market that cannot be read is
 * omitted. @throws ChainReadError
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
  const scope = { row, multicall };
  const silos = await readAll(scope, 'silos', block, (plan) =>
    configs.map((config) => plan.attempt(config, siloAbi, 'getSilos', [])),
  );
  const settings = await readAll(scope, 'silo settings', block, (plan) =>
    silos.map((pair, index) =>
      pair.ok ? pair.value.map((silo) => plan.attempt(configs[index]!, siloAbi, 'getConfig', [silo])) : [],
    ),
  );
  const found = settings.flatMap(([first, second], index) =>
    first?.ok && second?.ok
      ? [
          {
            id: ids[index]!,
            config: configs[index]!,
            sides: [sideOf(first.value), sideOf(second.value)] as const,
          },
        ]
      : [],
  );
  const quotes = await readAll(scope, 'quote tokens', block, (plan) =>
    found.map(({ sides }) => {
      const oracle = sides.find((side) => side.oracle)?.oracle;
      return oracle ? plan.attempt(oracle, siloAbi, 'quoteToken', []) : null;
    }),
  );
  const pairs = found.map(({ id, config, sides }, index): [string, SiloPair] => {
    const quote = quotes[index] ?? null;
    const stated = quote?.ok ? lowerCase(quote.value) : null;
    return [id, { config, sides, quoteToken: quote === null ? sides[0].token : stated }];
  });
  return { nextId, pairs: new Map(pairs) };
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
  interestRateModel: Address;
  daoFee: bigint;
  deployerFee: bigint;
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
    rateModel: lowerCase(config.interestRateModel),
    fee: config.daoFee + config.deployerFee,
  };
}

/** ISilo.AssetType of deposits that are not lent. */
export const PROTECTED = 0;
/** The transfer of a share token. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
