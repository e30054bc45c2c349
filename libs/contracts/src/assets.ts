import { priceSymbol } from './prices';

/**
 * The asset that a price follows. `stable` follows a currency, `staked` and `wrapped` follow the asset of
 * their family, `volatile` follows none.
 */
export type AssetKind = 'stable' | 'staked' | 'wrapped' | 'volatile';

/** Assets of one family move together. */
export interface AssetClass {
  /** The price symbol that the family follows; `USD` and `EUR` for stable coins. */
  family: string;
  kind: AssetKind;
}

const STABLE: Readonly<Record<string, string>> = {
  USD: 'USDC USDT DAI USDC.E USDBC USDT0 USDT.E DAI.E M.DAI FRAX FRXUSD LUSD BOLD GHO CRVUSD PYUSD RLUSD USDE SUSDE USDS SUSDS SDAI SUSD USDP TUSD BUSD FDUSD GUSD MIM DOLA USD0 USD0++ USDTB USDX USDA USDM USDL USDY XDAI WXDAI VAI LISUSD FEUSD USDXL USDHL USDB EUSD ALUSD MAI MIMATIC SCRVUSD USR WSRUSD',
  EUR: 'EURC EURS EURE EURA AGEUR JEUR EURT VEUR',
};
const STAKED: Readonly<Record<string, string>> = {
  ETH: 'STETH WSTETH RETH CBETH WEETH EETH EZETH RSETH WRSETH OSETH ETHX SWETH RSWETH SFRXETH FRXETH METH CMETH ANKRETH OETH WOETH SUPEROETHB WSUPEROETHB PUFETH APXETH PXETH UNIETH WBETH SETH2 TETH BSDETH YNETH',
  SOL: 'MSOL JITOSOL BSOL JSOL',
  BNB: 'BNBX ANKRBNB STKBNB SLISBNB SNBNB ASBNB',
  POL: 'STMATIC MATICX WSTPOL SPOL',
  AVAX: 'SAVAX GGAVAX YYAVAX',
  HYPE: 'STHYPE WSTHYPE KHYPE BEHYPE LHYPE MHYPE',
};
const WRAPPED: Readonly<Record<string, string>> = {
  BTC: 'CBBTC TBTC BTCB BTC.B LBTC FBTC EBTC RENBTC SOLVBTC PUMPBTC UNIBTC UBTC XBTC',
  ETH: 'UETH AETH WETH.E ETH.E',
  SOL: 'WSOL USOL',
  BNB: 'WBNB',
  POL: 'WPOL MATIC WMATIC',
  AVAX: 'WAVAX',
  HYPE: 'WHYPE',
  CELO: 'WCELO',
  GLMR: 'WGLMR',
};

const CLASSES = new Map<string, AssetClass>();
for (const [kind, families] of [
  ['stable', STABLE],
  ['staked', STAKED],
  ['wrapped', WRAPPED],
] as const) {
  for (const [family, symbols] of Object.entries(families)) {
    for (const symbol of symbols.split(' ')) CLASSES.set(symbol, { family, kind });
  }
}

/**
 * Returns the class of an asset by its symbol, in any case. An unknown symbol is a volatile asset of its own
 * family, so that an unclassified asset is never treated as stable.
 */
export function assetClass(symbol: string): AssetClass {
  const name = priceSymbol(symbol);
  return CLASSES.get(name) ?? { family: name, kind: 'volatile' };
}

/** Returns true for a coin that is pegged to a currency. */
export function isStableAsset(symbol: string): boolean {
  return assetClass(symbol).kind === 'stable';
}

/**
 * Returns true when all supplied and owed assets belong to one family: stable against stable, staked ETH
 * against ETH. The risk is then the spread of the prices, so the band comes from a probability. See
 * docs/model.md. Returns false when one side has no assets.
 */
export function isCorrelated(collateral: readonly string[], debt: readonly string[]): boolean {
  if (collateral.length === 0 || debt.length === 0) return false;
  return new Set([...collateral, ...debt].map(groupOf)).size === 1;
}

/** Assets of one group move together: all stable coins, or the asset of a family and its followers. */
function groupOf(symbol: string): string {
  const { family, kind } = assetClass(symbol);
  return kind === 'stable' ? 'stable' : family;
}

/** Returns every asset that moves together with this one, including itself, named as in price.v1. */
export function correlatedAssets(symbol: string): string[] {
  const group = groupOf(symbol);
  const others = [...CLASSES.keys()].filter((each) => groupOf(each) === group);
  const base = group === 'stable' ? [] : [group];
  return [...new Set([symbol, ...base, ...others].map(priceSymbol))].sort();
}
