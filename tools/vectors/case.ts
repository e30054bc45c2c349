import type { RiskPosition } from '@plimsoll/risk-math';

/** A reference case: any JSON object. Its fields show its kind. */
export type VectorCase = Record<string, unknown>;

/** A file of cases. Rules for all of them are beside the lists. */
export type VectorFile = Record<string, unknown>;

/** Result fields by name. */
export type Figures = Record<string, unknown>;

/** A value that must be an object. @throws Error that names it */
export function objectOf(value: unknown, name: string): Figures {
  if (typeof value !== 'object' || value === null) throw new Error(`${name} is missing.`);
  return value as Figures;
}

/** A value that must be a finite number. @throws Error that names it */
export function numberOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`${name} is not a number.`);
  return value;
}

/** The position of a case. */
export function positionOf(vector: VectorCase): RiskPosition {
  return objectOf(vector['position'], 'position') as unknown as RiskPosition;
}

/** The figures that the reference has. */
export function alike(figures: Figures, reference: unknown): Figures {
  const names = Object.keys(objectOf(reference, 'the reference'));
  return Object.fromEntries(names.filter((name) => name in figures).map((name) => [name, figures[name]]));
}
