import type { Identity } from '@plimsoll/contracts';
import type { Caller } from '../upstream/service-calls';

/** The address that an ENS name has, and the block at which it was read. */
export interface NamedAddress {
  /** Normalised. */
  name: string;
  /** With its checksum. */
  address: string;
  block: number;
}

/** The caller of a request that has names. */
export interface NameRequest {
  identity: Pick<Identity, 'accountId'>;
  caller: Caller;
}

/** Resolves the names of requests. A service that provides it accepts names in the fields with `@AcceptsNames()`. */
export abstract class NameResolver {
  /**
   * @param field that has the name, for the error
   * @throws invalid_request for a name that is invalid or has no address; rate_limited; upstream_unavailable
   */
  abstract addressOf(name: string, field: string, request: NameRequest): Promise<NamedAddress>;
}
