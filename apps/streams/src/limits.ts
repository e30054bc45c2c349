/** Limits of a connection. */
export const LIMITS = {
  connectionsPerAccount: 100,
  subscriptionsPerConnection: 128,
  inboundFrameBytes: 16_384,
  /** Most fragments of one client frame. */
  inboundFragments: 64,
  inboundFramesPerSecond: 10,
  /** Above this, a client of positions receives only the latest state of each position. */
  conflateAboveBytes: 262_144,
  /** Above this, the connection is closed as slow. */
  unsentBytes: 1_048_576,
  /** A connection that reads nothing for this long while data is unsent is closed as well. */
  stalledMs: 10_000,
  /** Positions in one snapshot frame. */
  snapshotChunk: 200,
  /** Events that are checked in one step while a connection catches up. */
  resumeChunk: 500,
  /** Most events that are read from Kafka for one client. With more, it starts again with a snapshot. */
  seekEvents: 200_000,
  /** Most clients that may wait for a read from Kafka. */
  waitingReads: 64,
  seekDeadlineMs: 15_000,
  /**
   * Memory beyond that of the window, for each stream: events that arrive while clients are replayed from
   * Kafka.
   */
  heldBytes: 33_554_432,
  /** Most reads from Kafka for one catch-up. Afterwards the client starts again with a snapshot. */
  seeksToCatchUp: 8,
  /** How long a client whose cursor is ahead of this instance waits for the instance to catch up. */
  aheadDeadlineMs: 10_000,
} as const;
