import { SendError } from '../outgoing/send-error';
import { TargetGuard } from '../outgoing/target-guard';
import { type OpenedRanges, refusedTarget } from '../outgoing/url-policy';
import type { HostResolver } from '../outgoing/host-resolver';

/** The input of the command: a URL with given or present DNS records, DNS records only, or one address. */
export interface Target {
  url?: string;
  ip?: string;
  answers?: string[];
}

export interface Verdict {
  verdict: 'allowed' | 'refused';
  /** Null: allowed. */
  reason: string | null;
}

type Resolver = Pick<HostResolver, 'addressesOf'>;

/** Replaces the name when only DNS records are given. */
const SOME_URL = 'https://hooks.example.com/';

/** Returns the verdict of the service: for a URL as at registration, for an address as at connect. */
export async function judge(target: Target, dns: Resolver, opened: OpenedRanges): Promise<Verdict> {
  const { url, ip, answers: responses } = target;
  if (ip !== undefined) return verdictOf(refusedTarget('https:', ip, opened));
  const guard = new TargetGuard(responses ? fixedAddresses(responses) : dns, opened);
  return verdictOf(await guard.refusedUrl(url ?? SOME_URL));
}

function verdictOf(reason: string | null): Verdict {
  return { verdict: reason === null ? 'allowed' : 'refused', reason };
}

function fixedAddresses(responses: string[]): Resolver {
  return {
    addressesOf: () =>
      responses.length > 0 ? Promise.resolve(responses) : Promise.reject(new SendError('dns_not_found')),
  };
}
