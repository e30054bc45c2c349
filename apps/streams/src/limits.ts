/** Limits of a connection (decisions.md, Streams). */
export const LIMITS = {
  connectionsPerAccount: 100,
  subscriptionsPerConnection: 128,
  inboundFrameBytes: 16_384,
  /** Pieces that a client may cut one frame into. */
  inboundFragments: 64,
  inboundFramesPerSecond: 10,
  /** Above this the connection is closed as slow. */
  unsentBytes: 1_048_576,
  /** So is one that takes nothing for as long while something is unsent. */
  stalledMs: 10_000,
  /** Positions in one snapshot frame. */
  snapshotChunk: 200,
} as const;
