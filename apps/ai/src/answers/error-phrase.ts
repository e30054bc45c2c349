import type { Fact } from '../facts/fact';
import { type Phrase, say } from './say';

/** The error of a probability, to append to it. Empty for an exact one. */
export function errorPhrase(standardError: Fact, upperBound95: Fact | null): Phrase {
  if (upperBound95)
    return say`: no simulated path was liquidated, so it is very likely below ${upperBound95}`;
  if (standardError.value === 0) return { text: '', factIds: [] };
  return say`, with a standard error of ${standardError}`;
}
