import { NO_POSITION, ONE_DOLLAR, owedLeg, securedLeg, type FormulaLeg } from '../legs-math';
import { listAt, numberOf, type FormulaResult, type Market, type ReadWords } from '../receipt-math';
import { ilkRate, makerFigures, makerPrice } from './math';

const PRICE_DECIMALS = 27;
/** The vat counts every token with 18. */
const DECIMALS = 18;
const BPS_TO_RAY = 10_000n * 10n ** 27n;
const ENGINES = ['lockstakeEngine', 'lockstakeEngineV1'];
const WORD_BYTES = 32n;

/** Where the vat has a position. */
interface Urn {
  ilk: bigint;
  urn: bigint;
}

/** The figures of a vault, whose sub-id is its number, the address of an engine's urn, or ilk and address of another. */
export function recomputeMaker(market: Market, read: ReadWords): FormulaResult {
  const { contracts, timestamp } = market;
  const found = urnOf(market, read);
  if (!found) return NO_POSITION;
  const { ilk, urn } = found;
  const [vat, jug, oracle] = [contracts['vat']!, contracts['jug']!, contracts['spot']!];
  const [ink, art] = read.words(2, vat, '0x2424be5c', ilk, urn);
  const [, stored, spot] = read.words(3, vat, '0xd9638d36', ilk);
  const [duty, lastDrip] = read.words(2, jug, '0xd9638d36', ilk);
  const base = read.word(jug, '0x5001f3b5');
  const mat = read.words(2, oracle, '0xd9638d36', ilk)[1];
  const price = makerPrice(spot, mat, read.word(oracle, '0x495d32cb'));
  const rate = ilkRate({ rate: stored, duty, base, lastDrip }, timestamp);
  const { collateralValue, debt, healthFactor } = makerFigures({ ink, art }, { spot, rate, price });
  const legs: FormulaLeg[] = [];
  if (ink > 0n) {
    const asset = read.word(contracts['ilkRegistry']!, '0x41f0b723', ilk);
    const threshold = mat === 0n ? 0n : BPS_TO_RAY / mat;
    const gem = { asset, decimals: DECIMALS, price, priceDecimals: PRICE_DECIMALS, oracle };
    legs.push(securedLeg(gem, ink, threshold));
  }
  if (art > 0n) {
    // The ilks of the engines lend another dollar.
    const engine = enginesOf(contracts).find((each) => read.word(each, '0xc5ce281e') === ilk);
    const asset = engine === undefined ? contracts['dai']! : read.word(engine, '0x4cf282fb');
    legs.push(owedLeg({ asset, decimals: DECIMALS, ...ONE_DOLLAR, oracle }, debt));
  }
  return { legs, totalCollateral: collateralValue, totalDebt: debt, healthFactor };
}

function enginesOf(contracts: Market['contracts']): bigint[] {
  return ENGINES.flatMap((name) => contracts[name] ?? []);
}

/** Null: neither the wallet nor its proxy has it. */
function urnOf(market: Market, read: ReadWords): Urn | null {
  const { contracts, wallet, subId } = market;
  const find = subId.includes(':') ? rawUrn : subId.startsWith('0x') ? stakedUrn : managedVault;
  const own = find(market, read, wallet);
  const registry = contracts['proxyRegistry'];
  if (own || registry === undefined) return own;
  const proxy = read.word(registry, '0xc4552791', wallet);
  return proxy !== 0n && read.word(proxy, '0x8da5cb5b') === wallet ? find(market, read, proxy) : null;
}

function managedVault({ contracts, subId }: Market, read: ReadWords, owner: bigint): Urn | null {
  const lists = read.words(3, contracts['getCdps']!, '0x1ce03f38', contracts['cdpManager']!, owner);
  const at = listAt(lists, 0).indexOf(numberOf(subId));
  return at < 0 ? null : { urn: listAt(lists, 1)[at]!, ilk: listAt(lists, 2)[at]! };
}

function stakedUrn({ contracts, subId }: Market, read: ReadWords, owner: bigint): Urn | null {
  const urn = numberOf(subId);
  for (const engine of enginesOf(contracts)) {
    const count = read.word(engine, '0xa1c03731', owner);
    for (let index = 0n; index < count; index++)
      if (read.word(engine, '0xd9f06192', owner, index) === urn)
        return { urn, ilk: read.word(engine, '0xc5ce281e') };
  }
  return null;
}

/** An urn under the address of its owner, or under that of the owner's urn proxy. */
function rawUrn({ contracts, subId }: Market, read: ReadWords, owner: bigint): Urn | null {
  const at = subId.lastIndexOf(':');
  const urn = numberOf(subId.slice(at + 1));
  const cropper = contracts['cropper'];
  const isOwn = urn === owner || (cropper !== undefined && read.word(cropper, '0x06713c3e', owner) === urn);
  return isOwn ? { urn, ilk: textWord(subId.slice(0, at)) } : null;
}

/** A text of up to 32 bytes, filled with zeros. */
function textWord(text: string): bigint {
  const bytes = [...new TextEncoder().encode(text)];
  const number = bytes.reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
  return number << (8n * (WORD_BYTES - BigInt(bytes.length)));
}
