import { type BlockRef, type Multicall, PlanBuilder } from '@plimsoll/evm';
import { type Token, addToken } from '@plimsoll/protocols';
import { type Address, parseAbi, zeroAddress } from 'viem';

const tokenAbi = parseAbi(['function balanceOf(address account) view returns (uint256)']);
const multicallAbi = parseAbi(['function getEthBalance(address account) view returns (uint256)']);
const vaultAbi = parseAbi([
  'function asset() view returns (address)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
]);
const COIN_DECIMALS = 18;

/** Tokens in raw units. */
export interface Balance {
  token: Token;
  amountRaw: bigint;
}

/** A token that a wallet holds, with the assets of the shares of a vault. */
export interface WalletBalanceRead extends Balance {
  vault: Balance | null;
}

/** The balances of a chain. Those that are 0 are absent. */
export interface BalancesRead {
  balances: WalletBalanceRead[];
  /** Tokens that do not state their decimals or the balance. */
  unknown: Omit<Token, 'decimals'>[];
}

/**
 * Reads the balances of a wallet at a block: the coin of the chain, the tokens, and the assets of those that are
 * ERC-4626 vaults.
 * @param coin symbol of the chain's own coin
 * @throws ChainReadError
 */
export async function readBalances(
  multicall: Multicall,
  chain: { chainId: number; coin: string },
  wallet: Address,
  tokens: readonly Omit<Token, 'decimals'>[],
  block: BlockRef,
): Promise<BalancesRead> {
  const plan = new PlanBuilder(chain.chainId, 'balances');
  const coinSlot = plan.call(multicall.multicall3, multicallAbi, 'getEthBalance', [wallet]);
  const slots = tokens.map((token) => ({
    token,
    stated: addToken(plan, token.address),
    balance: plan.call(token.address, tokenAbi, 'balanceOf', [wallet]),
  }));
  const { held, unknown } = await multicall.read(
    plan.build((results) => {
      const coin = { address: zeroAddress as Address, symbol: chain.coin, decimals: COIN_DECIMALS };
      const read: { held: Balance[]; unknown: BalancesRead['unknown'] } = {
        held: [{ token: coin, amountRaw: results.value(coinSlot) }],
        unknown: [],
      };
      for (const { token, stated, balance } of slots) {
        const amount = results.outcome(balance);
        const known = stated(results);
        if (!amount.ok || (known === null && amount.value > 0n)) read.unknown.push(token);
        else if (known !== null) read.held.push({ token: known, amountRaw: amount.value });
      }
      return read;
    }),
    block,
  );
  const balances = held.filter(({ amountRaw }) => amountRaw > 0n);
  const vaults = await readVaults(multicall, chain.chainId, balances, block);
  return {
    balances: balances.map((balance) => ({ ...balance, vault: vaults.get(balance.token.address) ?? null })),
    unknown,
  };
}

/** Reads the assets of the shares of vaults, by vault. A token that is no vault is absent. */
async function readVaults(
  multicall: Multicall,
  chainId: number,
  held: readonly Balance[],
  block: BlockRef,
): Promise<Map<Address, Balance>> {
  const plan = new PlanBuilder(chainId, 'vaults');
  const slots = held
    .filter(({ token }) => token.address !== zeroAddress)
    .map(({ token, amountRaw }) => ({
      vault: token.address,
      asset: plan.call(token.address, vaultAbi, 'asset', []),
      assets: plan.call(token.address, vaultAbi, 'convertToAssets', [amountRaw]),
    }));
  if (slots.length === 0) return new Map();
  const stated = await multicall.read(
    plan.build(({ outcome }) =>
      slots.flatMap(({ vault, asset, assets }) => {
        const [token, amount] = [outcome(asset), outcome(assets)];
        return token.ok && amount.ok ? [{ vault, asset: token.value, amountRaw: amount.value }] : [];
      }),
    ),
    block,
  );
  if (stated.length === 0) return new Map();
  const assetPlan = new PlanBuilder(chainId, 'assets of vaults');
  const assets = stated.map((each) => ({ ...each, token: addToken(assetPlan, each.asset) }));
  return multicall.read(
    assetPlan.build((results) => {
      const found = new Map<Address, Balance>();
      for (const { vault, amountRaw, token } of assets) {
        const known = token(results);
        if (known !== null) found.set(vault, { token: known, amountRaw });
      }
      return found;
    }),
    block,
  );
}
