import type { MissingSource } from '@plimsoll/contracts';
import { plainText } from './plain-text';
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
  reason?: string | undefined;
}

/** The facts of one answer, and the unavailable sources. */
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

  /** Whether a source returned only a part, so that a missing fact may still exist. */
  get isPartial(): boolean {
    return this.parts.size > 0;
  }

  /** Adds a fact, or replaces it if the id exists. Texts from outside become plain and short. */
  add(
    id: string,
    label: string,
    value: Fact['value'],
    unit: Fact['unit'],
    { time, source, isStale, reason }: FactOrigin,
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
      ...(reason !== undefined && { reason }),
    };
    this.byId.set(id, fact);
    return fact;
  }

  /** The existing fact with that id, or a new one. It has the parameters of `add`. */
  once(...[id, ...rest]: Parameters<FactSheet['add']>): Fact {
    return this.byId.get(id) ?? this.add(id, ...rest);
  }

  /** Records that a source returned nothing. The first reason is kept. */
  lacks(source: string, reason: string): void {
    if (!this.gaps.has(source)) this.gaps.set(source, { source, reason });
  }

  /** Records that a source returned only a part. */
  lacksPart(source: string, reason: string): void {
    this.parts.add(source);
    this.lacks(source, reason);
  }
}
