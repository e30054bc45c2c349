import { planOf, type BlockRef, PlanBuilder, type CallResults } from '@plimsoll/evm';
import { hexToString, parseAbi, type Address } from 'viem';
import type { ReadScope } from './family';

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

/** Adds the reads of a token's symbol and decimals. A token without decimals() has none. */
export function addToken(plan: PlanBuilder, address: Address): (results: CallResults) => Token {
  const symbol = addSymbol(plan, address);
  const decimals = plan.call(address, tokenAbi, 'decimals', []);
  return (results) => {
    const result = results.outcome(decimals);
    return { address, symbol: symbol(results), decimals: result.ok ? result.value : 0 };
  };
}

/** Reads tokens in one multicall, in order. @throws ChainReadError */
export async function readTokens(
  { row, multicall }: Pick<ReadScope, 'row' | 'multicall'>,
  addresses: readonly Address[],
  block: BlockRef,
): Promise<Token[]> {
  const plan = planOf(row, 'tokens');
  const tokens = addresses.map((address) => addToken(plan, address));
  return multicall.read(
    plan.build((results) => tokens.map((token) => token(results))),
    block,
  );
}
