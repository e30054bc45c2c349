import type { ProductionPackage } from './production-packages';

interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses: object[];
  hashes?: { alg: string; content: string }[];
}

/** A bill of materials in CycloneDX 1.6. */
export interface Sbom {
  bomFormat: 'CycloneDX';
  specVersion: '1.6';
  version: 1;
  metadata: { component: { type: 'application'; 'bom-ref': string; name: string; version: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * The production packages as CycloneDX 1.6, the same for the same lock file: without a time and a serial
 * number, which the standard leaves optional.
 * @param direct places of the packages that package.json names
 */
export function sbomOf(
  product: { name: string; version: string },
  packages: ReadonlyMap<string, ProductionPackage>,
  direct: readonly string[],
): Sbom {
  const ref = `${product.name}@${product.version}`;
  const urlOf = (place: string): string => purl(packages.get(place) as ProductionPackage);
  // One package may have several places.
  const components = new Map([...packages.values()].map((each) => [purl(each), componentOf(each)]));
  const edges = new Map<string, Set<string>>([[ref, new Set(direct.map(urlOf))]]);
  for (const each of packages.values()) {
    const known = edges.get(purl(each)) ?? new Set();
    for (const place of each.dependsOn) known.add(urlOf(place));
    edges.set(purl(each), known);
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': ref, ...product } },
    components: [...components.values()],
    dependencies: [...edges].map(([from, to]) => ({ ref: from, dependsOn: [...to].sort() })),
  };
}

const purl = ({ name, version }: ProductionPackage): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

function componentOf(each: ProductionPackage): Component {
  const { name, version, licence, integrity } = each;
  const hash = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  return {
    type: 'library',
    'bom-ref': purl(each),
    name,
    version,
    purl: purl(each),
    licenses: licence === '' ? [] : [licenceOf(licence)],
    ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  };
}

const licenceOf = (licence: string): object =>
  /[ ()]/.test(licence) ? { expression: licence } : { license: { id: licence } };
