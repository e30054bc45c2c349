/** Milliseconds after a resolve before the same alert may open again. */
export const COOLDOWN_MS = 300_000;
