import { Inject, Injectable } from '@nestjs/common';
import { checksumAddress } from '@plimsoll/contracts';
import { ChainReadError } from '@plimsoll/evm';
import { Clock } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { type Address, type Hex, encodeFunctionData, hashMessage, parseAbi, verifyMessage } from 'viem';
import type { ExecutionChain } from '../chains/chains.service';
import { Refusal } from '../planning/refusal';
import type { PositionVenue } from '../positions/position-source';

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const VALID = '0x1626ba7e';

/**
 * Authorisations of accounts by wallets. The policy on chain states the permitted actions on a wallet, for
 * every user of this service. The signature of the wallet states which account may request them.
 */
@Injectable()
export class Authorisations {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /**
   * @param signature signature of the request; stored when it is the wallet's
   * @throws Refusal not_authorised
   */
  async check(
    accountId: string,
    place: PositionVenue,
    chain: ExecutionChain,
    signature: string | undefined,
  ): Promise<void> {
    if (signature === undefined) {
      if (await this.isKnown(accountId, place)) return;
      throw missing(accountId, place, 'It has not authorised this account to run executions.');
    }
    if (!(await isSigned(accountId, place, chain, signature as Hex)))
      throw missing(accountId, place, 'The signature is not from this wallet.');
    await this.pool.query(
      `INSERT INTO authorisations (account_id, chain_id, wallet, signature, at)
       VALUES ($1, $2, $3, $4, to_timestamp($5::float8 / 1000)) ON CONFLICT DO NOTHING`,
      [accountId, place.chainId, place.wallet, signature, this.clock.now()],
    );
  }

  private async isKnown(accountId: string, { chainId, wallet }: PositionVenue): Promise<boolean> {
    const { rows } = await this.pool.query(
      'SELECT FROM authorisations WHERE account_id = $1 AND chain_id = $2 AND wallet = $3',
      [accountId, chainId, wallet],
    );
    return rows.length === 1;
  }
}

/** Returns the text that the wallet signs (EIP-191). */
export function authorisationText(
  accountId: string,
  { chainId, wallet }: Pick<PositionVenue, 'chainId' | 'wallet'>,
): string {
  return `Plimsoll: ${accountId} may run executions for ${checksumAddress(wallet)} on chain ${chainId}.`;
}

async function isSigned(
  accountId: string,
  place: PositionVenue,
  { client }: ExecutionChain,
  signature: Hex,
): Promise<boolean> {
  const message = authorisationText(accountId, place);
  const isOwn = await verifyMessage({ address: place.wallet, message, signature }).catch(() => false);
  if (isOwn) return true;
  // A contract wallet itself decides which signature it accepts (ERC-1271).
  const code = await client.request<Hex>('eth_getCode', [place.wallet, 'latest']);
  if (code === '0x') return false;
  return isUsed(client.request.bind(client), place.wallet, hashMessage(message), signature);
}

async function isUsed(
  request: ExecutionChain['client']['request'],
  wallet: Address,
  hash: Hex,
  signature: Hex,
): Promise<boolean> {
  const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [hash, signature] });
  try {
    return (await request<Hex>('eth_call', [{ to: wallet, data }, 'latest'])).startsWith(VALID);
  } catch (error) {
    if (error instanceof ChainReadError && error.code === 'rpc_rejected') return false;
    throw error;
  }
}

function missing(accountId: string, place: PositionVenue, why: string): Refusal {
  return new Refusal(
    'not_authorised',
    `${why} Have it sign (EIP-191) “${authorisationText(accountId, place)}” and send that as walletSignature.`,
    'walletSignature',
  );
}
