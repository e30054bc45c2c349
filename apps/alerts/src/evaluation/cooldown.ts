/** Wait after a resolve before the same alert opens again, milliseconds (contracts.md, Alerts). */
export const COOLDOWN_MS = 300_000;
