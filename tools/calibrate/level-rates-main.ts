import { LEVEL_HEALTH_FACTORS, levelRates } from './level-rates';
import { readPriceHistory } from './price-history';

const USAGE = `usage: npm run tool -- level-rates FOLDER [--assets A,B]

  Prints how often a position of each risk level was liquidated within 7 and 30 days of real prices: one volatile asset
  against stable debt, every day from 2018 on a start.

  FOLDER       daily prices, one CSV an asset (default: PRICES_DIR)
  --assets     which of them (default: ten volatile ones)`;

const ASSETS = 'AAVE,BNB,BTC,CRV,ETH,LINK,MATIC,MKR,SNX,YFI';
const HORIZONS_DAYS = [7, 30];

const percent = (share: number): string => (100 * share).toFixed(1);
const edge = (hundredths: number): string => (hundredths / 100).toFixed(2);

function print(folder: string, assets: readonly string[]): void {
  const histories = assets.map((asset) => readPriceHistory(folder, asset));
  const [week, month] = HORIZONS_DAYS.map((days) => levelRates(histories, days));
  console.log('| level | HF | within 7 days, low / close, % | within 30 days, low / close, % |');
  console.log('| --- | --- | --- | --- |');
  for (const [at, { level, ...within7 }] of week!.entries()) {
    const within30 = month![at]!;
    const [first, last] = LEVEL_HEALTH_FACTORS[level];
    const cells = [within7, within30].map(({ byLow, byClose }) => `${percent(byLow)} / ${percent(byClose)}`);
    console.log(`| ${level} | ${edge(first)} to ${edge(last + 1)} | ${cells.join(' | ')} |`);
  }
}

export function main(args: readonly string[]): void {
  if (args.includes('--help')) {
    console.log(USAGE);
    return;
  }
  const at = args.indexOf('--assets');
  const assets = (at < 0 ? ASSETS : (args[at + 1] ?? '')).split(',');
  const named = args.find((argument, index) => !argument.startsWith('--') && (at < 0 || index !== at + 1));
  try {
    const folder = named ?? process.env['PRICES_DIR'];
    if (!folder) throw new Error(`Name the folder of daily prices or set PRICES_DIR.\n\n${USAGE}`);
    print(folder, assets);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
