import type { ProductionPackage } from './production-packages';

/**
 * Licences that a proprietary product may not ship: they require its source or forbid commercial use. A
 * package without a licence grants no right at all.
 */
const FORBIDDEN =
  /^(A?GPL|LGPL|SSPL|BUSL|EUPL|OSL|RPL|CPAL|CC-BY-NC|CC-BY-SA|Elastic|PolyForm|Commons-Clause|UNLICENSED|SEE LICEN[CS]E)/i;

/**
 * Whether an SPDX expression permits use in production. A choice (`OR`) needs one permitted licence, a
 * combination (`AND`) needs all.
 */
export function isPermitted(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, ' ').trim();
  if (plain === '') return false;
  return plain
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((each) => !FORBIDDEN.test(each.trim())));
}

/** Packages by licence, the most frequent first, and those that are not permitted. */
export function licenceReport(packages: Iterable<ProductionPackage>): {
  byLicence: [licence: string, packages: string[]][];
  forbidden: string[];
} {
  const byLicence = new Map<string, Set<string>>();
  const forbidden = new Set<string>();
  for (const { name, version, licence } of packages) {
    const label = `${name}@${version}`;
    byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(label));
    if (!isPermitted(licence)) forbidden.add(`${label} (${licence || 'no licence'})`);
  }
  const lists = [...byLicence].map(([licence, labels]): [string, string[]] => [licence, [...labels]]);
  return { byLicence: lists.sort((a, b) => b[1].length - a[1].length), forbidden: [...forbidden] };
}
