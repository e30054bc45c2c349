import { Injectable, Optional } from '@nestjs/common';
import { Problem, type StreamFilter, invalidRequest, isEnsName } from '@plimsoll/contracts';
import { NameBudget, NameResolver, ServiceCalls } from '@plimsoll/service-kit';

/** Most different names of a filter. Each may cost several requests to the node. */
const MOST_NAMES = 20;

/** The addresses of the names in a filter, by name as it was sent. */
export type FilterAddresses = ReadonlyMap<string, string>;

/** The names in the wallets of a filter, each once. */
export function namesIn({ wallets = [] }: StreamFilter = {}): string[] {
  return [...new Set(wallets.filter(isEnsName))];
}

/** A filter with addresses in the place of its names. */
export function withAddresses(filter: StreamFilter, addresses: FilterAddresses): StreamFilter {
  const wallets = filter.wallets?.map((wallet) => addresses.get(wallet) ?? wallet);
  return { ...filter, ...(wallets && { wallets }) };
}

/** Resolves the ENS names of filters, each once: a subscription stays with the addresses of its beginning. */
@Injectable()
export class FilterNames {
  private readonly budget = new NameBudget();

  constructor(
    private readonly calls: ServiceCalls,
    @Optional() private readonly names?: NameResolver,
  ) {}

  /** @throws invalid_request with the path of the name; rate_limited; upstream_unavailable */
  async addressesOf(filter: StreamFilter, accountId: string): Promise<FilterAddresses> {
    const names = namesIn(filter);
    const pathOf = (name: string): string => `/filter/wallets/${filter.wallets!.indexOf(name)}`;
    const { names: resolver } = this;
    if (!resolver) throw refused(pathOf(names[0]!), 'invalid_address', WITHOUT_NAMES);
    if (names.length > MOST_NAMES) throw refused(pathOf(names[MOST_NAMES]!), 'too_many_names', TOO_MANY);
    const nowMs = Date.now();
    for (const _ of names) this.budget.take(accountId, nowMs);
    // The identity of the handshake has expired since.
    const request = { identity: { accountId }, caller: this.calls.ownCaller(nowMs) };
    const found = names.map(
      async (name) => [name, (await resolver.addressOf(name, pathOf(name), request)).address] as const,
    );
    return new Map(await Promise.all(found));
  }
}

const WITHOUT_NAMES = 'ENS names cannot be resolved here. Send the address.';
const UNEXPECTED = 'The names of the filter could not be resolved. Send addresses, or try again.';
const TOO_MANY = `A filter may have ${MOST_NAMES} different names. Open several subscriptions, or send addresses.`;

const refused = (field: string, code: string, message: string): Problem =>
  invalidRequest([{ field, code, message }]);

/** The error of a frame: its code, and the text with the path of the mistake. */
export function frameErrorOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Problem)) return { code: 'internal', message: UNEXPECTED };
  const [mistake] = error.options.errors ?? [];
  return { code: error.code, message: mistake ? `${mistake.field}: ${mistake.message}` : error.detail };
}
