/** Words in capitals that are no tokens. */
const NOT_TOKENS = new Set(
  (
    'HF LTV TVL USD EUR API AI DEFI GRI VAR CVAR LT LLM SQL URL HTTP HTTPS JSON HTML OK NO YES NOT AND THE IF IS MY ME WHAT WHY HOW ' +
    'WHEN WHICH WHO ALL ANY FOR OF TO IN ON AT BY IT AS DO BE OR SO UP WE YOU ARE CAN NOW SYSTEM IGNORE IMPORTANT NFT NFTS UTC ' +
    'DAO ID IDS PLEASE URGENT STOP PRINT SAY REPLY ADMIN ROOT USER ASSISTANT INSTRUCTIONS INSTRUCTION PREVIOUS OVERRIDE DEBUG MODE ' +
    'POSITION POSITIONS RULES DEBT PRICE PRICES ALERTS ALERT HEALTH FACTOR RISK INDEX SELECT FROM WHERE DROP TABLE DELETE POST GET PUT ' +
    'NEW END BEGIN TRUE FALSE NULL AM PM US EU UK CEO APY APR QA RPC EVM L1 L2 PS P5 P50 P95'
  ).split(' '),
);

/** Lower-case words that are always tokens. Others are too similar to English. */
const LOWER = 'eth weth btc wbtc usdc usdt dai steth wsteth reth cbeth weeth cbbtc gho';
const NAMES: Readonly<Record<string, string>> = { ether: 'ETH', bitcoin: 'BTC', 'wrapped ether': 'WETH' };

const TOKEN = new RegExp(
  [
    // Two capitals at least, as in wstETH, USDC.e, PT-weETH.
    String.raw`\$?(?<![A-Za-z0-9_-])(?:[a-z]{0,4}[A-Z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*(?:[.][A-Za-z]{1,3})?)(?![A-Za-z0-9_])`,
    String.raw`\b(?:${[...LOWER.split(' '), ...Object.keys(NAMES)].join('|')})\b`,
    // The subject of a question about a price.
    String.raw`(?<=\bprices? of (?:the )?)[A-Za-z][A-Za-z0-9.]{1,11}\b`,
  ].join('|'),
  'g',
);
const AFTER_PRICE_OF = new Set([
  'my',
  'the',
  'a',
  'an',
  'all',
  'each',
  'it',
  'its',
  'this',
  'that',
  'collateral',
  'liquidation',
]);

/** A symbol with its place in a text. */
export interface AssetMention {
  symbol: string;
  at: number;
  end: number;
}

/** Symbols in a text, in their order. Ids and addresses are not symbols. */
export function assetMentions(text: string): AssetMention[] {
  const plain = text.replace(
    /\b(?:pos|alt|inc|acc|wc|rule|exec|wh|key|evt)_[0-9A-Za-z]+|0x[0-9a-fA-F]+/g,
    (id) => ' '.repeat(id.length),
  );
  return [...plain.matchAll(TOKEN)].flatMap((match) => {
    const written = match[0].replace('$', '');
    const symbol = NAMES[written.toLowerCase()] ?? written;
    const isWord = NOT_TOKENS.has(symbol.toUpperCase()) || AFTER_PRICE_OF.has(symbol);
    return isWord || symbol.length > 12
      ? []
      : [{ symbol, at: match.index, end: match.index + match[0].length }];
  });
}
