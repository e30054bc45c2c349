import { SendError } from '../outgoing/send-error';
import { TargetGuard } from '../outgoing/target-guard';
import { type OpenedRanges, refusedTarget } from '../outgoing/url-policy';
import type { HostResolver } from '../outgoing/host-resolver';

/** What is judged: a URL, with what its name resolves to or as DNS has it now; answers alone; or one address. */
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

/** Stands for any name where answers are given without one. */
const SOME_URL = 'https://hooks.example.com/';

/** Says of a target what the service says: of a URL as at registration, of an address as at connect. */
export async function judge(target: Target, dns: Resolver, opened: OpenedRanges): Promise<Verdict> {
  const { url, ip, answers } = target;
  if (ip !== undefined) return verdictOf(refusedTarget('https:', ip, opened));
  const guard = new TargetGuard(answers ? fixedAnswers(answers) : dns, opened);
  return verdictOf(await guard.refusedUrl(url ?? SOME_URL));
}

function verdictOf(reason: string | null): Verdict {
  return { verdict: reason === null ? 'allowed' : 'refused', reason };
}

function fixedAnswers(answers: string[]): Resolver {
  return {
    addressesOf: () =>
      answers.length > 0 ? Promise.resolve(answers) : Promise.reject(new SendError('dns_not_found')),
  };
}
