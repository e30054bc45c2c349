import { priceSymbol } from '@plimsoll/contracts';

/** An asset with a price, under the name of priceSymbol. */
export interface Asset {
  symbol: string;
  name: string;
  /** Id at CoinGecko. Undefined: not read there. */
  coingeckoId?: string;
  /** `<chain>:<token address>` at DefiLlama, where its price comes from trades and not from CoinGecko. */
  defillamaId?: string;
  /** Target price in USD. */
  pegUsd?: number;
  /** Largest distance of a source from the others, in percent. */
  maxDeviationPercent: number;
}

const volatile = (symbol: string, name: string, coingeckoId: string, token?: string): Asset => ({
  symbol,
  name,
  coingeckoId,
  // DefiLlama returns addresses in lower case or as requested.
  ...(token && { defillamaId: `ethereum:${token.toLowerCase()}` }),
  maxDeviationPercent: 2,
});

const stable = (symbol: string, name: string, coingeckoId: string, token: string): Asset => ({
  ...volatile(symbol, name, coingeckoId, token),
  pegUsd: 1,
  maxDeviationPercent: 1,
});

/**
 * Assets with a price, each under one name. Tokens are those on Ethereum. A name from a client is never sent
 * to a source.
 */
// prettier-ignore
export const ASSETS: readonly Asset[] = [
  volatile('ETH',    'Ether',                'ethereum',                    '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
  volatile('BTC',    'Bitcoin',              'bitcoin',                     '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'),
  volatile('STETH',  'Lido staked Ether',    'staked-ether',                '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84'),
  volatile('WSTETH', 'Wrapped staked Ether', 'wrapped-steth',               '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0'),
  volatile('RETH',   'Rocket Pool Ether',    'rocket-pool-eth',             '0xae78736Cd615f374D3085123A210448E74Fc6393'),
  volatile('CBETH',  'Coinbase staked Ether', 'coinbase-wrapped-staked-eth', '0xBe9895146f7AF43049ca1c1AE358B0541Ea49704'),
  volatile('WEETH',  'Wrapped eETH',         'wrapped-eeth',                '0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee'),
  volatile('CBBTC',  'Coinbase wrapped BTC', 'coinbase-wrapped-btc',        '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf'),
  volatile('LINK',   'Chainlink',            'chainlink',                   '0x514910771AF9Ca656af840dff83E8264EcF986CA'),
  volatile('AAVE',   'Aave',                 'aave',                        '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9'),
  volatile('UNI',    'Uniswap',              'uniswap',                     '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'),
  volatile('CRV',    'Curve DAO',            'curve-dao-token',             '0xD533a949740bb3306d119CC777fa900bA034cd52'),
  volatile('MKR',    'Maker',                'maker',                       '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2'),
  volatile('COMP',   'Compound',             'compound-governance-token',   '0xc00e94Cb662C3520282E6f5717214004A7f26888'),
  volatile('SNX',    'Synthetix',            'havven',                      '0xC011a73ee8576Fb46F5E1c5751cA3B9Fe0af2a6F'),
  volatile('BNB',    'BNB',                  'binancecoin'),
  volatile('AVAX',   'Avalanche',            'avalanche-2'),
  volatile('POL',    'Polygon',              'polygon-ecosystem-token'),
  volatile('ARB',    'Arbitrum',             'arbitrum'),
  volatile('OP',     'Optimism',             'optimism'),
  volatile('S',      'Sonic',                'sonic-3'),
  volatile('HYPE',   'Hyperliquid',          'hyperliquid'),
  stable(  'USDC',   'USD Coin',             'usd-coin',                    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  stable(  'USDT',   'Tether USD',           'tether',                      '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
  stable(  'DAI',    'Dai',                  'dai',                         '0x6B175474E89094C44Da98b954EedeAC495271d0F'),
  stable(  'USDS',   'USDS',                 'usds',                        '0xdC035D45d973E3EC169d2276DDab16f1e407384F'),
  stable(  'GHO',    'GHO',                  'gho',                         '0x40D16FC0246aD3160Ccc09B8D0D3A2cD28aE6C2f'),
  stable(  'LUSD',   'Liquity USD',          'liquity-usd',                 '0x5f98805A4E8be255a32880FDeC7F6728C6568bA0'),
  stable(  'CRVUSD', 'Curve USD',            'crvusd',                      '0xf939E0A03FB07F59A73314E73794Be0E57ac1b4E'),
  stable(  'FRAX',   'Frax',                 'frax',                        '0x853d955aCEf822Db058eb8505911ED77F175b99e'),
];

const BY_SYMBOL = new Map(ASSETS.map((asset) => [asset.symbol, asset]));

/** Returns the asset of a symbol in any case, ETH for WETH and BTC for WBTC, or undefined without a price. */
export function findAsset(symbol: string): Asset | undefined {
  return BY_SYMBOL.get(priceSymbol(symbol));
}

/** Coins whose depeg counts toward the risk index. */
export const STABLE_COINS: readonly Asset[] = ASSETS.filter(({ pegUsd }) => pegUsd !== undefined);
