import {
  ChainReadError,
  planOf,
  type BlockRef,
  PlanBuilder,
  type CallResults,
  subjectOf,
} from '@plimsoll/evm';
import { hexToString, parseAbi, type Address } from 'viem';
import type { RowScope } from './family';

/** The displayed fields of a token. The address is in lower case. */
export interface Token {
  address: Address;
  symbol: string;
  decimals: number;
}

const tokenAbi = parseAbi([
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
]);
/** Some of the oldest tokens return symbol() as 32 bytes. */
const bytesSymbolAbi = parseAbi(['function symbol() view returns (bytes32)']);

/** Adds the reads of a token's symbol. The address replaces a missing symbol. */
export function addSymbol(plan: PlanBuilder, address: Address): (results: CallResults) => string {
  const text = plan.call(address, tokenAbi, 'symbol', []);
  const bytes = plan.call(address, bytesSymbolAbi, 'symbol', []);
  return ({ outcome }) => {
    const [asText, asBytes] = [outcome(text), outcome(bytes)];
    if (asText.ok) return asText.value;
    return asBytes.ok ? hexToString(asBytes.value, { size: 32 }) : address;
  };
}

/** The most decimals that an amount of a position may have (position.v1). */
const MAX_DECIMALS = 36;

/**
 * Adds the reads of a token's symbol and decimals. Null if decimals() fails or is above 36: amounts of such a
 * token have no known size.
 * @param missing the decimals where decimals() fails, if the protocol's own contracts define them
 */
export function addToken(
  plan: PlanBuilder,
  address: Address,
  missing?: number,
): (results: CallResults) => Token | null {
  const symbol = addSymbol(plan, address);
  const slot = plan.call(address, tokenAbi, 'decimals', []);
  return (results) => {
    const result = results.outcome(slot);
    const decimals = result.ok ? result.value : missing;
    if (decimals === undefined || decimals > MAX_DECIMALS) return null;
    return { address, symbol: symbol(results), decimals };
  };
}

/** Reads tokens in one multicall, in order, as addToken. @throws ChainReadError */
export async function readTokens(
  { row, multicall }: RowScope,
  addresses: readonly Address[],
  block: BlockRef,
  missing?: number,
): Promise<(Token | null)[]> {
  const plan = planOf(row, 'tokens');
  const tokens = addresses.map((address) => addToken(plan, address, missing));
  return multicall.read(
    plan.build((results) => tokens.map((token) => token(results))),
    block,
  );
}

/** Reads a token without which nothing of the row can be read. @throws ChainReadError */
export async function readToken(scope: RowScope, address: Address, block: BlockRef): Promise<Token> {
  const [token] = await readTokens(scope, [address], block);
  if (token) return token;
  const message = `${subjectOf(scope.row, 'tokens')}: ${address} states no decimals; check its registry row`;
  throw new ChainReadError('call_failed', scope.row.chainId, message);
}

/** Reads tokens of which the protocol itself states the decimals. @throws ChainReadError */
export async function readSymbols(
  { row, multicall }: RowScope,
  addresses: readonly Address[],
  block: BlockRef,
): Promise<Omit<Token, 'decimals'>[]> {
  const plan = planOf(row, 'tokens');
  const symbols = addresses.map((address) => addSymbol(plan, address));
  return multicall.read(
    plan.build((results) =>
      symbols.map((symbol, index) => ({ address: addresses[index]!, symbol: symbol(results) })),
    ),
    block,
  );
}
