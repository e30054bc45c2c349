import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parseCidrs } from '@plimsoll/service-kit';
import { HostResolver } from '../outgoing/host-resolver';
import type { OpenedRanges } from '../outgoing/url-policy';
import { type Verdict, judge, type Target } from './judge';

const HELP = `usage: npm run ssrf -- FILE [--allow-cidrs LIST] [--allow-http]

Says of each line of FILE (JSON lines; - reads standard input) whether a webhook may go there, as the service would:

  {"url": "https://hooks.example.com/"}                        at registration; a name is resolved by DNS now
  {"url": "https://hooks.example.com/", "dns": ["10.0.0.1"]}   with these answers instead ("answers" is the same)
  {"dns": ["8.8.8.8", "::1"]}                                  answers alone, of any name: one bad one is enough
  {"ip": "169.254.169.254"}                                    an address, as at connect

For each line one of {"input": …, "verdict": "allowed" | "refused", "reason": … | null}, in the order of the file.

  --allow-cidrs LIST   WEBHOOK_ALLOW_CIDRS of the service; none unless given
  --allow-http         WEBHOOK_ALLOW_HTTP of the service`;

/** Names that are resolved at the same time. */
const CONCURRENCY = 32;

type Judged = Verdict & { input: unknown };

/**
 * Runs the command and returns its output.
 * @throws for invalid arguments and files, with the next step
 */
export async function ssrfCommand(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      'allow-cidrs': { type: 'string', default: '' },
      'allow-http': { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  if (values.help || file === undefined) return HELP;
  const opened = { cidrs: parseCidrs(values['allow-cidrs']), http: values['allow-http'] };
  const text = await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const judged = await judgeAll(lines, opened);
  return judged.map((each) => JSON.stringify(each)).join('\n');
}

async function judgeAll(lines: readonly string[], opened: OpenedRanges): Promise<Judged[]> {
  const dns = new HostResolver();
  const judged: Judged[] = [];
  for (let start = 0; start < lines.length; start += CONCURRENCY) {
    const chunk = lines.slice(start, start + CONCURRENCY);
    judged.push(...(await Promise.all(chunk.map((line) => judgeLine(line, dns, opened)))));
  }
  return judged;
}

/** A line that cannot be parsed is refused, like everything that is not known to be safe. */
async function judgeLine(line: string, dns: HostResolver, opened: OpenedRanges): Promise<Judged> {
  let input: unknown;
  try {
    input = JSON.parse(line);
  } catch {
    return { input: line, verdict: 'refused', reason: 'not_json' };
  }
  const target = parseTarget(input);
  if (target === null) return { input, verdict: 'refused', reason: 'no_url_ip_or_dns' };
  return { input, ...(await judge(target, dns, opened)) };
}

/** Field names of an address in a DNS record. */
const RECORD_FIELDS = ['address', 'data', 'value', 'ip'] as const;

/** Parses a line of the file as a target. Returns null when it contains none. */
export function parseTarget(input: unknown): Target | null {
  if (typeof input !== 'object' || input === null) return null;
  const { url, ip, host, dns, answers: responses } = input as Record<string, unknown>;
  const hasName = url !== undefined || host !== undefined;
  const resolved = dns ?? responses ?? (hasName ? ip : undefined);
  const target: Target = {
    ...(url !== undefined ? { url: String(url) } : host !== undefined && { url: `https://${String(host)}/` }),
    ...(!hasName && ip !== undefined && { ip: String(ip) }),
    ...(resolved !== undefined && { answers: addressesIn(resolved) }),
  };
  return Object.keys(target).length > 0 ? target : null;
}

/** Returns every address in DNS records: a list, one address, records, or lists by type. */
function addressesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  if (typeof value !== 'object' || value === null) return [String(value)];
  const record = value as Record<string, unknown>;
  const field = RECORD_FIELDS.find((name) => name in record);
  return field === undefined ? Object.values(record).flatMap(addressesIn) : addressesIn(record[field]);
}
