import type { Hedge } from './figure';

const ABOUT = /(?:\b(?:about|around|roughly|approximately|approx\.?|circa|close to|some)|[~≈±]) ?$/i;
const ABOVE =
  /(?:\b(?:over|above|more than|greater than|higher than|at least|exceed(?:s|ed|ing)?|beyond|no less than)|[>≥]=?) ?$/i;
const BELOW =
  /(?:\b(?:under|below|less than|lower than|fewer than|at most|up to|no more than|nearly|almost|just short of)|[<≤]=?) ?$/i;

/** The hedge of the words before a number. */
export function hedgeBefore(before: string): Hedge {
  if (ABOUT.test(before)) return 'about';
  if (ABOVE.test(before)) return 'above';
  return BELOW.test(before) ? 'below' : 'none';
}
