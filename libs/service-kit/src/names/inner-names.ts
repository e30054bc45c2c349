import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { Problem, type ResolvedName, invalidRequest } from '@plimsoll/contracts';
import { InnerClient } from '../upstream/inner-client';
import { ServiceCalls } from '../upstream/service-calls';
import { type NameRequest, NameResolver, type NamedAddress } from './name-resolver';

/** The positions service itself waits 4 s for the node. */
const DEADLINE_MS = 5_000;

/** Names from the positions service, which has the node, the cache and the budget of the account. */
class InnerNames extends NameResolver {
  constructor(private readonly positions: InnerClient) {
    super();
  }

  async addressOf(text: string, field: string, { caller }: NameRequest): Promise<NamedAddress> {
    const found = await this.read(text, field, caller);
    if (found) return { ...found, block: Number(Object.values(found.asOfBlock)[0]) };
    const message = `${text.slice(0, 64)} has no address on the chain. Check it, or send the address.`;
    throw invalidRequest([{ field, code: 'name_without_address', message }]);
  }

  private async read(
    text: string,
    field: string,
    caller: NameRequest['caller'],
  ): Promise<ResolvedName | null> {
    try {
      return await this.positions.get<ResolvedName>(`/v1/names/${encodeURIComponent(text)}`, caller);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { errors } = error.options;
      // The field is that of this request.
      if (errors) throw invalidRequest(errors.map((each) => ({ ...each, field })));
      throw error.status < 500 ? error : unresolved(error);
    }
  }
}

function unresolved({ code, options }: Problem): Problem {
  const detail = 'The ENS name cannot be resolved now. Send the address, or try again in a moment.';
  return new Problem(code, detail, options);
}

/** Lets a service accept ENS names, which it resolves at the positions service. */
@Module({})
export class InnerNamesModule {
  /** @param config with the origin of positions; without one, names are rejected as invalid addresses */
  static using(config: Type<{ UPSTREAM_POSITIONS: string }>): DynamicModule {
    const names = {
      provide: NameResolver,
      inject: [config, ServiceCalls],
      useFactory: ({ UPSTREAM_POSITIONS: origin }: { UPSTREAM_POSITIONS: string }, calls: ServiceCalls) =>
        origin === ''
          ? null
          : new InnerNames(new InnerClient(calls, 'positions', origin, 'The ENS name', DEADLINE_MS)),
    };
    return { module: InnerNamesModule, global: true, providers: [names], exports: [names] };
  }
}
