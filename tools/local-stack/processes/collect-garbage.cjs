const EVERY_MS = 600_000;

setInterval(() => globalThis.gc(), EVERY_MS).unref();
