/** Limits of a connection (decisions.md, Streams). */
export const LIMITS = {
  connectionsPerAccount: 100,
  subscriptionsPerConnection: 128,
  inboundFrameBytes: 16_384,
  /** Pieces that a client may cut one frame into. */
  inboundFragments: 64,
  inboundFramesPerSecond: 10,
  /** Above this a client of positions is sent the latest state of each position alone. */
  conflateAboveBytes: 262_144,
  /** Above this the connection is closed as slow. */
  unsentBytes: 1_048_576,
  /** So is one that takes nothing for as long while something is unsent. */
  stalledMs: 10_000,
  /** Positions in one snapshot frame. */
  snapshotChunk: 200,
  /** Events that are looked at in one go while a connection catches up. */
  resumeChunk: 500,
  /** Events read back from Kafka for one client; with more to read it begins anew. */
  seekEvents: 200_000,
  /** Clients that may wait for their turn to have events read back. */
  waitingSeeks: 64,
  seekDeadlineMs: 15_000,
  /** Beyond the memory for resuming, of each stream: what comes while clients have events read back. */
  heldBytes: 33_554_432,
  /** How often a client has events read back to catch up once; then it begins anew. */
  seeksToCatchUp: 8,
  /** How long a client whose cursor is ahead of this instance waits for it to read on. */
  aheadDeadlineMs: 10_000,
} as const;
