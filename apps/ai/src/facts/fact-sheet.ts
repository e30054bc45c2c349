import type { MissingSource } from '@plimsoll/contracts';
import { plainText } from '../verification/plain-text';
import type { Fact } from './fact';

/** Names of tokens come from outside: they are shortened and cleaned before any use. */
const MOST_CHARS = 48;

/**
 * The origin of a fact that is created here: its time and source come from the response that it was read
 * from.
 */
export interface FactOrigin {
  time: string;
  source: string;
  isStale?: boolean;
}

/** Everything that one answer may rest on, and what could not be had. */
export class FactSheet {
  private readonly byId = new Map<string, Fact>();
  private readonly gaps = new Map<string, MissingSource>();
  private readonly parts = new Set<string>();

  get facts(): ReadonlyMap<string, Fact> {
    return this.byId;
  }

  get missing(): MissingSource[] {
    return [...this.gaps.values()];
  }

  /** Whether a source gave only a part: what is not among the facts may be there all the same. */
  get isPartial(): boolean {
    return this.parts.size > 0;
  }

  /** Keeps a fact; the same id again replaces it. Texts from outside become plain and short. */
  add(
    id: string,
    label: string,
    value: Fact['value'],
    unit: Fact['unit'],
    { time, source, isStale }: FactOrigin,
    symbol?: string,
  ): Fact {
    const fact: Fact = {
      id,
      label,
      value: unit === 'text' && typeof value === 'string' ? plainText(value, MOST_CHARS) : value,
      unit,
      time,
      source,
      ...(symbol !== undefined && { symbol: plainText(symbol, MOST_CHARS) }),
      ...(isStale === true && { isStale }),
    };
    this.byId.set(id, fact);
    return fact;
  }

  /** The fact of that id as it is there; added when it is not. Takes what `add` takes. */
  once(...[id, ...rest]: Parameters<FactSheet['add']>): Fact {
    return this.byId.get(id) ?? this.add(id, ...rest);
  }

  /** Notes that a source gave nothing; the first reason stays. */
  lacks(source: string, reason: string): void {
    if (!this.gaps.has(source)) this.gaps.set(source, { source, reason });
  }

  /** Notes that a source gave only a part of what was asked of it. */
  lacksPart(source: string, reason: string): void {
    this.parts.add(source);
    this.lacks(source, reason);
  }
}
