/** Streams by the last segment of their path. */
export const STREAMS = ['positions', 'alerts', 'whales'] as const;
export type StreamName = (typeof STREAMS)[number];

/** Close codes. Clients reconnect after 4000–4499 and do not after 4500–4999. */
export const STREAM_CLOSE = {
  draining: 4001,
  keyRotated: 4005,
  slow: 4008,
  noPong: 4012,
  badRequest: 4501,
  forbidden: 4503,
  connectionLimit: 4504,
  keyRevoked: 4505,
  sessionEnded: 4506,
  accountEnded: 4507,
} as const;
export type StreamCloseCode = (typeof STREAM_CLOSE)[keyof typeof STREAM_CLOSE];
