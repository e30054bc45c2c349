import { ASSETS, type Asset } from '../assets/asset-table';

const RETRY_AFTER_MS = 10 * 60_000;

/**
 * The ids of our assets at a source. An id that the source does not know is requested again after ten
 * minutes.
 */
export class SourceIds {
  /** Ids by asset. */
  readonly all: ReadonlyMap<string, string>;
  private readonly notBeforeMs = new Map<string, number>();

  /** @param idOf returns undefined for an asset that the source lacks */
  constructor(idOf: (asset: Asset) => string | undefined) {
    this.all = new Map(
      ASSETS.flatMap((asset) => {
        const id = idOf(asset);
        return id === undefined ? [] : [[asset.symbol, id]];
      }),
    );
  }

  /** Returns the ids to request now. */
  idsToRequest(nowMs: number): string[] {
    return [...this.all.values()].filter((id) => (this.notBeforeMs.get(id) ?? 0) <= nowMs);
  }

  /** Records that the response to the requested ids only had the keys of `known`. */
  resolved(asked: readonly string[], known: object, nowMs: number): void {
    for (const id of asked) if (!Object.hasOwn(known, id)) this.notBeforeMs.set(id, nowMs + RETRY_AFTER_MS);
  }
}
