import type { Target } from './judge';

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
