import { priceSymbol } from '@plimsoll/contracts';
import type { Fact } from '../facts/fact';

/** Kinds of subjects of figures. */
export const SUBJECT_KINDS = ['position', 'asset', 'protocol', 'wallet'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

const POSITION = /\bpos_[A-Za-z0-9]+/;
const FIELDS: Readonly<Record<string, SubjectKind>> = {
  symbol: 'asset',
  asset: 'asset',
  protocol: 'protocol',
  wallet: 'wallet',
};

/** The subjects of the facts of an answer, by their ids and by the names beside them. */
export class Subjects {
  /** Names by the front part of a fact's id. */
  private readonly names = new Map<string, { kind: SubjectKind; key: string }[]>();
  private readonly spellings = new Map<SubjectKind, Map<string, Set<string>>>();
  private readonly patterns = new Map<SubjectKind, (readonly [string, RegExp])[]>();

  constructor(facts: Iterable<Fact>) {
    for (const { id, value, unit } of facts) {
      const [position] = POSITION.exec(id) ?? [];
      if (position !== undefined) this.knows('position', position);
      if (typeof value !== 'string' || value === '' || (unit !== 'text' && unit !== 'id')) continue;
      const at = id.lastIndexOf('.');
      const field = id.slice(at + 1);
      const kind = FIELDS[field] ?? (/^protocol\.[^.]+\.id$/.test(id) ? 'protocol' : undefined);
      if (kind === undefined) continue;
      const front = id.slice(0, at);
      this.names.set(front, [...(this.names.get(front) ?? []), { kind, key: keyOf(kind, value) }]);
      this.knows(kind, value);
    }
  }

  /** The subjects of a fact, by kind. A missing kind means nothing. */
  of({ id }: Pick<Fact, 'id'>): ReadonlyMap<SubjectKind, ReadonlySet<string>> {
    const found = new Map<SubjectKind, Set<string>>();
    const add = (kind: SubjectKind, key: string): void =>
      void found.set(kind, (found.get(kind) ?? new Set()).add(key));
    const [position] = POSITION.exec(id) ?? [];
    const parts = id.split('.');
    const fronts = parts.map((_, at) => parts.slice(0, at + 1).join('.'));
    for (const front of [...fronts, `position.${position}`]) {
      for (const { kind, key } of this.names.get(front) ?? []) add(kind, key);
    }
    if (position !== undefined) add('position', keyOf('position', position));
    return found;
  }

  /** The names of a kind, to search in a text. */
  said(kind: SubjectKind): readonly (readonly [string, RegExp])[] {
    const made = this.patterns.get(kind);
    if (made) return made;
    // A token's name may be a common word, so its symbol must match in its own letters.
    const flags = kind === 'asset' ? 'gu' : 'giu';
    const patterns = [...(this.spellings.get(kind) ?? [])].map(
      ([key, names]) => [key, new RegExp([...names].map(spelled).join('|'), flags)] as const,
    );
    this.patterns.set(kind, patterns);
    return patterns;
  }

  private knows(kind: SubjectKind, name: string): void {
    const key = keyOf(kind, name);
    const known = this.spellings.get(kind) ?? new Map<string, Set<string>>();
    this.spellings.set(kind, known.set(key, (known.get(key) ?? new Set()).add(name)));
  }
}

/** WETH and ETH are one asset here, as they have one price. */
const keyOf = (kind: SubjectKind, name: string): string =>
  kind === 'asset' ? priceSymbol(name) : name.toLowerCase();

/** A whole name, with a hyphen or a space in it. */
function spelled(name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`).replace(/[-_ ]/g, '[-_ ]');
  return String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`;
}
