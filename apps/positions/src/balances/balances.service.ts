import { Injectable } from '@nestjs/common';
import {
  MOST_NAMED_TOKENS,
  type UnknownBalance,
  type UnknownBalanceReason,
  type WalletBalance,
  type WalletBalances,
  type WalletBalancesQuery,
  checksumAddress,
  invalidRequest,
  parseAddress,
} from '@plimsoll/contracts';
import { type BlockRef, ChainReadError } from '@plimsoll/evm';
import { within } from '@plimsoll/service-kit';
import type { Address } from 'viem';
import { toDouble } from '../amounts/units';
import { ChainsService } from '../chains/chains.service';
import type { ChainTracker } from '../tracking/chain-tracker';
import { type MarketToken, MarketTokensRepository } from './market-tokens.repository';
import { type Balance, type BalancesRead, readBalances } from './read-balances';

/** Tokens of a chain that one response reads: about six calls each. */
const MOST_TOKENS = 1_000;
const CHAIN_DEADLINE_MS = 4_000;

interface ChainBalances {
  block: BlockRef | null;
  balances: WalletBalance[];
  unknown: UnknownBalance[];
}

/** Balances of any wallet, read at the last block that each chain handled. */
@Injectable()
export class BalancesService {
  constructor(
    private readonly chains: ChainsService,
    private readonly tokens: MarketTokensRepository,
  ) {}

  /** @throws invalid_request for a chain that the registry does not know, and for tokens without a chain */
  async of(address: string, { chainId, token }: WalletBalancesQuery): Promise<WalletBalances> {
    const wallet = parseAddress(address, 'address');
    const named = namedTokens(token, chainId);
    if (chainId !== undefined && this.chains.protocolsOn(chainId) === null)
      throw invalidRequest([
        {
          field: 'chainId',
          code: 'unknown_chain',
          message: `Chain ${chainId} is not covered. GET /v1/chains lists the ids.`,
        },
      ]);
    const wanted = this.chains.all().filter((chain) => chainId === undefined || chain.chainId === chainId);
    const read = await Promise.all(wanted.map((chain) => this.onChain(chain, wallet, named)));
    const ofRequest =
      chainId !== undefined && wanted.length === 0 ? [unknownChain(chainId, 'unconfigured')] : [];
    const blocks = wanted.flatMap(({ chainId: id }, at) => {
      const block = read[at]?.block;
      return block ? [{ id, block }] : [];
    });
    return {
      address: checksumAddress(wallet),
      balances: read.flatMap(({ balances }) => balances),
      unknown: [...read.flatMap(({ unknown }) => unknown), ...ofRequest],
      asOfBlock: Object.fromEntries(blocks.map(({ id, block }) => [id, Number(block.number)])),
      blockHash: Object.fromEntries(blocks.map(({ id, block }) => [id, block.hash])),
    };
  }

  /** @param named tokens beside those of the markets */
  private async onChain(
    chain: ChainTracker,
    wallet: Address,
    named: readonly MarketToken[],
  ): Promise<ChainBalances> {
    const { chainId, latest, headFailure } = chain;
    const failed = { block: null, balances: [], unknown: [unknownChain(chainId, 'chain_unavailable')] };
    if (!latest || headFailure !== null) return failed;
    const tokens = await this.tokens.on(chainId, MOST_TOKENS + 1);
    const known = tokens.slice(0, MOST_TOKENS);
    const addresses = new Set(known.map(({ address }) => address));
    // Last, because one that uses up the gas of a call leaves those after it unknown.
    const some = [...known, ...named.filter(({ address }) => !addresses.has(address))];
    const incomplete: UnknownBalanceReason | null =
      tokens.length === 0 ? 'tokens_not_read' : tokens.length > known.length ? 'too_many_tokens' : null;
    try {
      const { multicall, coin } = this.chains.readsOf(chain);
      const reading = readBalances(multicall, { chainId, coin }, wallet, some, latest);
      const read = await within(
        CHAIN_DEADLINE_MS,
        reading,
        () => new ChainReadError('rpc_unavailable', chainId, 'balances were not read in time'),
      );
      const unknown = read.unknown.map((token) => unknownToken(chainId, token));
      return {
        block: latest,
        balances: itemsOf(chainId, read),
        unknown: incomplete === null ? unknown : [...unknown, unknownChain(chainId, incomplete)],
      };
    } catch (error) {
      if (error instanceof ChainReadError) return failed;
      throw error;
    }
  }
}

/** The tokens that a request names, each once. Their contracts have not stated a symbol yet. */
function namedTokens(text: string | undefined, chainId: number | undefined): MarketToken[] {
  if (text === undefined) return [];
  const refuse = (field: string, code: string, message: string) => invalidRequest([{ field, code, message }]);
  if (chainId === undefined)
    throw refuse('chainId', 'required', 'chainId is required with token: send the chain of the tokens.');
  const addresses = [...new Set(text.split(',').map((part) => parseAddress(part.trim(), 'token')))];
  if (addresses.length > MOST_NAMED_TOKENS)
    throw refuse('token', 'too_many', `token takes ${MOST_NAMED_TOKENS} addresses. Send several requests.`);
  return addresses.map((address) => ({ address, symbol: address }));
}

function itemsOf(chainId: number, { balances }: BalancesRead): WalletBalance[] {
  return balances
    .map(({ vault, ...held }) => ({ chainId, ...amountOf(held), vault: vault && amountOf(vault) }))
    .sort((a, b) => a.asset.localeCompare(b.asset) || a.address.localeCompare(b.address));
}

function amountOf({ token, amountRaw }: Balance): Omit<WalletBalance, 'chainId' | 'vault'> {
  const { symbol, address, decimals } = token;
  return {
    asset: symbol,
    address: checksumAddress(address),
    amountRaw: String(amountRaw),
    decimals,
    amount: toDouble(amountRaw, decimals),
  };
}

function unknownChain(chainId: number, reason: UnknownBalanceReason): UnknownBalance {
  return { chainId, asset: null, address: null, reason };
}

function unknownToken(
  chainId: number,
  { symbol, address }: { symbol: string; address: Address },
): UnknownBalance {
  return { chainId, asset: symbol, address: checksumAddress(address), reason: 'not_stated' };
}
