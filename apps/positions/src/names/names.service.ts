import { Injectable } from '@nestjs/common';
import { type FieldError, Problem, checksumAddress, invalidRequest } from '@plimsoll/contracts';
import {
  type BlockRef,
  type ChainClient,
  ChainReadError,
  NameReader,
  type NameRecord,
  normalName,
  readLatestHead,
} from '@plimsoll/evm';
import {
  Clock,
  NAMES_A_MINUTE,
  NameBudget,
  type NameRequest,
  NameResolver,
  type NamedAddress,
  accountOfService,
  within,
} from '@plimsoll/service-kit';
import { ChainsService } from '../chains/chains.service';

/** ENS is on mainnet. */
export const ENS_CHAIN = 1;
const DEADLINE_MS = 4_000;
/** Old enough to save requests, and young enough for a name that moves. */
const FRESH_MS = 60_000;
const MOST_CACHED = 10_000;
/** The streams service limits the names of each account itself. This is the limit of all of them. */
const STREAMS = accountOfService('streams');
const NAMES_OF_STREAMS = 10 * NAMES_A_MINUTE;

/** The record of a name or an address, with the block at which it was read. */
export interface NameReading {
  record: NameRecord<string>;
  block: BlockRef;
}

interface Cached {
  reading: Promise<NameReading>;
  untilMs: number;
}

/** Names of ENS, read through the node of mainnet. */
@Injectable()
export class NamesService extends NameResolver {
  private readonly cache = new Map<string, Cached>();
  private readonly budget = new NameBudget((accountId) =>
    accountId === STREAMS ? NAMES_OF_STREAMS : NAMES_A_MINUTE,
  );
  private reader: { client: ChainClient; names: NameReader } | undefined;

  constructor(
    private readonly chains: ChainsService,
    private readonly clock: Clock,
  ) {
    super();
  }

  addressOf(text: string, field: string, { identity }: NameRequest): Promise<NamedAddress> {
    return this.resolved(text, field, identity.accountId);
  }

  /** As addressOf, for a row of an import, which limits its names itself. */
  addressForImport(text: string): Promise<NamedAddress> {
    return this.resolved(text, 'address', null);
  }

  /**
   * @param accountId whose budget pays for it; null: none
   * @throws invalid_request for a text that is no name
   */
  async forward(
    text: string,
    field: string,
    accountId: string | null,
  ): Promise<{ name: string; reading: NameReading }> {
    const name = normalName(text);
    if (name === null) throw invalidRequest([invalidName(text, field)]);
    return {
      name,
      reading: await this.read(name, accountId, (names, block) => names.addressOf(name, block)),
    };
  }

  /** The primary name of an address in lower case, which counts only if the name has this address. */
  reverse(address: `0x${string}`, accountId: string): Promise<NameReading> {
    return this.read(address, accountId, (names, block) => names.nameOf(address, block));
  }

  private async resolved(text: string, field: string, accountId: string | null): Promise<NamedAddress> {
    const { name, reading } = await this.forward(text, field, accountId);
    const { record, block } = reading;
    if (record.kind === 'found')
      return { name, address: checksumAddress(record.value), block: Number(block.number) };
    throw invalidRequest([{ field, ...reasonOf(record.kind, name) }]);
  }

  /** Requests for the same name share one reading. @throws rate_limited, upstream_unavailable */
  private read(
    key: string,
    accountId: string | null,
    lookUp: (names: NameReader, block: BlockRef) => Promise<NameRecord<string>>,
  ): Promise<NameReading> {
    const nowMs = this.clock.now();
    const known = this.cache.get(key);
    if (known && nowMs < known.untilMs) return known.reading;
    if (accountId !== null) this.budget.take(accountId, nowMs);
    const reading = within(DEADLINE_MS, this.readNow(lookUp), () => unavailable(undefined)).catch(
      (error: unknown) => {
        if (this.cache.get(key)?.reading === reading) this.cache.delete(key);
        throw error instanceof ChainReadError ? unavailable(error) : error;
      },
    );
    this.cache.delete(key);
    this.cache.set(key, { reading, untilMs: nowMs + FRESH_MS });
    const [oldest] = this.cache.keys();
    if (this.cache.size > MOST_CACHED && oldest !== undefined) this.cache.delete(oldest);
    return reading;
  }

  private async readNow(
    lookUp: (names: NameReader, block: BlockRef) => Promise<NameRecord<string>>,
  ): Promise<NameReading> {
    const { client, names } = await this.readerOfEns();
    const block = await readLatestHead(client);
    return { record: await lookUp(names, block), block };
  }

  /** @throws upstream_unavailable without a node, or with one whose chain does not have ENS */
  private async readerOfEns(): Promise<{ client: ChainClient; names: NameReader }> {
    if (this.reader) return this.reader;
    const client = this.chains.clientOf(ENS_CHAIN);
    if (!client) throw withoutEns();
    const names = new NameReader(client);
    if (!(await names.isDeployed())) throw withoutEns();
    return (this.reader = { client, names });
  }
}

function invalidName(text: string, field: string): FieldError {
  const message = `${JSON.stringify(text.slice(0, 64))} is not a valid ENS name. Check it, or send the address.`;
  return { field, code: 'invalid_name', message };
}

/** The error of a name without an address on chain. */
export function reasonOf(kind: 'none' | 'offchain', name: string): Omit<FieldError, 'field'> {
  return kind === 'none'
    ? { code: 'name_without_address', message: `${name} has no address. Check it, or send the address.` }
    : {
        code: 'name_without_address',
        message: `The address of ${name} is not on the chain but on a server, which is not called. Send the address.`,
      };
}

const withoutEns = (): Problem =>
  new Problem(
    'upstream_unavailable',
    'ENS names cannot be resolved here, because this deployment has no node of mainnet. Send the address.',
  );

const unavailable = (cause: unknown): Problem =>
  new Problem(
    'upstream_unavailable',
    'The node of mainnet does not respond, so the name cannot be resolved. Send the address, or try again in a moment.',
    { cause, headers: { 'retry-after': '1' } },
  );
