import { ASSETS } from '../assets/asset-table';
import type { Asset } from '../assets/asset';

const ASK_AGAIN_MS = 10 * 60_000;

/** The ids that a source has for our assets. One that it does not know is asked for again only after ten minutes. */
export class SourceIds {
  /** By asset. */
  readonly all: ReadonlyMap<string, string>;
  private readonly notBeforeMs = new Map<string, number>();

  /** @param idOf undefined for an asset that the source does not have */
  constructor(idOf: (asset: Asset) => string | undefined) {
    this.all = new Map(
      ASSETS.flatMap((asset) => {
        const id = idOf(asset);
        return id === undefined ? [] : [[asset.symbol, id]];
      }),
    );
  }

  /** Those worth asking for. */
  askable(nowMs: number): string[] {
    return [...this.all.values()].filter((id) => (this.notBeforeMs.get(id) ?? 0) <= nowMs);
  }

  /** Of the ids that were asked for, the answer had the keys of `known` alone. */
  answered(asked: readonly string[], known: object, nowMs: number): void {
    for (const id of asked) if (!Object.hasOwn(known, id)) this.notBeforeMs.set(id, nowMs + ASK_AGAIN_MS);
  }
}
