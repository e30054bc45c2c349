import { type BlockRef, PlanBuilder, readCall, contractOf, lowerCase, subjectOf } from '@plimsoll/evm';
import type { Address } from 'viem';
import type { ReadScope } from '../reader/family';
import { addToken, type Token } from '../reader/tokens';
import { fluidAbi as abi } from './abi';

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

/** The vaults in which positions were found, with the names of their tokens. @throws ChainReadError */
export async function readFluidLayout(
  { row, multicall, nativeCurrency }: ReadScope,
  block: BlockRef,
  keys: readonly string[],
): Promise<FluidLayout> {
  const resolver = contractOf(row, 'vaultResolver');
  const plan = new PlanBuilder(row.chainId, subjectOf(row, 'vaults'));
  const total = plan.add(readCall(resolver, abi, 'getTotalVaults', []));
  const slots = keys.map((vault) =>
    plan.add(readCall(resolver, abi, 'getVaultEntireData', [vault as Address])),
  );
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
  const names = new PlanBuilder(row.chainId, subjectOf(row, 'tokens'));
  const native: Token = { address: NATIVE, symbol: nativeCurrency, decimals: 18 };
  const add = (token: Address) =>
    lowerCase(token) === NATIVE ? () => native : addToken(names, lowerCase(token));
  const side = ({ tokens, dex }: (typeof known)[number]['supply']) => {
    const first = add(tokens.token0);
    if (!dex) return first;
    const second = add(tokens.token1);
    return (results: Parameters<typeof first>[0]): FluidSide => {
      const pair = [first(results), second(results)] as const;
      const symbol = pair.map((token) => token.symbol).join('/');
      return { address: dex, symbol, decimals: SHARE_DECIMALS, pair };
    };
  };
  const named = known.map(({ vault, supply, borrow }) => ({
    vault,
    supply: side(supply),
    borrow: side(borrow),
  }));
  const vaults = await multicall.read(
    names.build((results) =>
      named.map(({ vault, supply, borrow }): [Address, FluidSides] => [
        vault,
        { supply: supply(results), borrow: borrow(results) },
      ]),
    ),
    block,
  );
  return { resolver, vaults: new Map(vaults) };
}
