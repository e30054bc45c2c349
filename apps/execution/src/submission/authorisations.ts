import { Injectable } from '@nestjs/common';
import { type CreateAuthorisationBody, Problem, invalidRequest, newId, notFound } from '@plimsoll/contracts';
import { type Commit, type Committed, Clock, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import type { Hex } from 'viem';
import { type ExecutionChain, ChainsService } from '../chains/chains.service';
import { type AuditEntry, AuditRepository } from '../executions/audit.repository';
import { Refusal, unsupported } from '../planning/refusal';
import { type AuthorisationRow, AuthorisationsRepository } from './authorisations.repository';
import {
  type WalletOnChain,
  authorisationText,
  isSignedBy,
  plainAuthorisationText,
} from './wallet-signature';

const DAY_MS = 86_400_000;
const MOST_DAYS = 365;
/** A signature without an end authorises for this long. Migrations give it to those that are stored. */
const PLAIN_DAYS = 30;

type By = AuditEntry['identity'];

/**
 * Authorisations of accounts by wallets. The policy on chain states the permitted actions on a wallet, for
 * every user of this service. The signature of the wallet states which account may request them, and until when.
 */
@Injectable()
export class Authorisations {
  constructor(
    private readonly pool: Pool,
    private readonly repository: AuthorisationsRepository,
    private readonly chains: ChainsService,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param signature signature of the request without an end; stored when it is the wallet's first one
   * @throws Refusal not_authorised without an authorisation that is valid now
   */
  async check(
    accountId: string,
    place: WalletOnChain,
    chain: ExecutionChain,
    signature: string | undefined,
  ): Promise<void> {
    const current = await this.repository.find(accountId, place);
    const isValid = (row: AuthorisationRow): boolean => row.expiresAt.getTime() > this.clock.now();
    const text = plainAuthorisationText(accountId, place);
    if (signature !== undefined && !(await isSignedBy(place.wallet, text, signature as Hex, chain)))
      throw missing('The signature is not from this wallet.', text);
    if (current && isValid(current)) return;
    if (current) throw missing('The authorisation of this wallet has expired.');
    if (signature === undefined) throw missing('It has not authorised this account to run executions.', text);
    const nowMs = this.clock.now();
    const isNew = await this.repository.add({
      id: newId('aut'),
      accountId,
      chainId: place.chainId,
      wallet: place.wallet,
      nonce: '',
      signature,
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + PLAIN_DAYS * DAY_MS),
    });
    if (isNew) return;
    // Another request may have stored it since the first look.
    const other = await this.repository.find(accountId, place);
    if (!other || !isValid(other))
      throw missing('The authorisation with this signature has expired or was revoked.');
  }

  /**
   * Stores an authorisation in place of the wallet's previous one.
   * @throws Problem invalid_request, unsupported_execution; conflict for a used nonce; Refusal not_authorised
   */
  async create<T>(
    by: By,
    { chainId, wallet, expiresAt, nonce, signature }: CreateAuthorisationBody,
    respond: (row: AuthorisationRow) => T,
    commit: Commit,
  ): Promise<Committed<T>> {
    const nowMs = this.clock.now();
    const terms = { expiresAt: endOf(expiresAt, nowMs), nonce };
    const place = { chainId, wallet: wallet.toLowerCase() as Hex };
    const chain = this.chains.find(chainId);
    if (!chain) throw unsupported('chainId', 'not_available', `Chain ${chainId} has no executions here.`);
    const text = authorisationText(by.accountId, place, terms);
    if (!(await isSignedBy(place.wallet, text, signature as Hex, chain))) {
      await this.write(by, place, 'created', 'not_authorised');
      const detail = `The signature is not from this wallet. Have it sign (EIP-191) “${text}”.`;
      throw new Refusal('not_authorised', detail, 'signature');
    }
    const row = { id: newId('aut'), accountId: by.accountId, ...place, ...terms, signature };
    return commit(async (tx) => {
      const stored = { ...row, createdAt: new Date(nowMs) };
      if (!(await this.repository.add(stored, tx))) {
        throw new Problem('conflict', 'This nonce of the wallet was used. Have it sign another one.');
      }
      await this.write(by, place, 'created', 'accepted', tx);
      return { status: 201, body: respond(stored) };
    });
  }

  /**
   * From now on, no execution of the account for the wallet begins.
   * @throws Problem not_found
   */
  async revoke(by: By, id: string): Promise<void> {
    await inTransaction(this.pool, async (tx) => {
      const place = await this.repository.revoke(by.accountId, id, tx);
      if (!place) throw notFound('authorisation');
      await this.write(by, place, 'revoked', 'accepted', tx);
    });
  }

  private write(
    identity: By,
    asked: WalletOnChain,
    what: 'created' | 'revoked',
    outcome: string,
    on?: Parameters<AuditRepository['write']>[1],
  ): Promise<void> {
    const action = `authorisation.${what}`;
    const entry = { identity, action, positionId: '', executionId: null, outcome, asked };
    return this.audit.write({ ...entry, atMs: this.clock.now() }, on);
  }
}

function endOf(text: string, nowMs: number): Date {
  const end = new Date(text);
  const isValid = end.getTime() > nowMs && end.getTime() <= nowMs + MOST_DAYS * DAY_MS;
  if (isValid) return end;
  const message = `expiresAt must be in the future, and at most ${MOST_DAYS} days from now.`;
  throw invalidRequest([{ field: 'expiresAt', code: 'out_of_range', message }]);
}

/** @param text what the wallet may sign for `walletSignature` */
function missing(why: string, text?: string): Refusal {
  const plain =
    text === undefined ? '' : ` Have it sign (EIP-191) “${text}” and send that as walletSignature.`;
  const detail = `${why}${plain} POST /v1/execution/authorisations takes a signature with an end.`;
  return new Refusal('not_authorised', detail, 'walletSignature');
}
