/** The fields of package-lock.json that the tools read. */
export interface LockFile {
  packages: Record<string, LockedPackage>;
}

export interface LockedPackage {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** A package that a service can load at run time. */
export interface ProductionPackage {
  name: string;
  version: string;
  /** An SPDX expression. Empty when the package states none. */
  licence: string;
  /** Subresource integrity of the archive. */
  integrity: string | undefined;
  /** Other production packages that it imports, by their place in the lock file. */
  dependsOn: string[];
}

const FOLDER = 'node_modules/';

/** Production packages by their place in the lock file, in its order. */
export function productionPackages({ packages }: LockFile): Map<string, ProductionPackage> {
  const isProduction = ([place, each]: [string, LockedPackage]): boolean =>
    place !== '' && !each.dev && !each.devOptional;
  const found = Object.entries(packages).filter(isProduction);
  const places = new Set(found.map(([place]) => place));
  return new Map(
    found.map(([place, each]) => [
      place,
      {
        name: each.name ?? nameOf(place),
        version: each.version ?? '',
        licence: each.license ?? '',
        integrity: each.integrity,
        dependsOn: Object.keys({ ...each.dependencies, ...each.optionalDependencies }).flatMap(
          (name) => resolve(place, name, places) ?? [],
        ),
      },
    ]),
  );
}

const nameOf = (place: string): string => place.slice(place.lastIndexOf(FOLDER) + FOLDER.length);

/** As Node does: the folder of the package itself, then each folder above it. */
export function resolve(from: string, name: string, places: ReadonlySet<string>): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${FOLDER}`)))) {
    const place = folder === '' ? FOLDER + name : `${folder}/${FOLDER}${name}`;
    if (places.has(place)) return place;
    if (folder === '') return undefined;
  }
}
