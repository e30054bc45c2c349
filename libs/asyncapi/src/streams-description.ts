/** What the frames do not say by themselves (decisions.md, Streams). */
export const STREAMS_DESCRIPTION = `Changes of the positions and alerts of an account, and what whales do, as it happens. Of positions and alerts the account’s watched wallets are what is sent, and nothing of another account ever is; whales are everybody’s. A filter only narrows it.

**Connect** with an API key in the handshake’s headers. What is refused is answered in plain HTTP before the upgrade: 401, 403 (tier or scope), 429, 503 with Retry-After. One text message is one JSON object with a \`type\`. Up to 100 connections an account on one instance and 128 subscriptions a connection; up to 16 KiB a message and 10 messages a second to the service.

**Subscribe** with an id of your own. Positions begin with a snapshot; each event follows once, however many subscriptions of the connection want it. \`riskLevel\` is the level of the figures beside it, by the thresholds in \`welcome\`; \`band\` keeps a level for 0.02 above its edge, for notifications.

**Resume**: keep the \`cursor\` of the last event or heartbeat. After a reconnect, to any instance, send it as \`since\`: every missed event comes once and in the order of its position (or account, or whale’s wallet), then \`resumed\` with \`recovered: true\`. When the cursor is older than the window (10 minutes unless configured otherwise): \`gap\`, \`resumed\` with \`recovered: false\`, and for positions a fresh snapshot. A cursor belongs to the whole connection: use the latest one for all its subscriptions.

**Slow clients**: above 256 KiB unsent, positions are conflated to the latest of each position (\`conflated: true\`); alerts and whales never are. Above 1 MiB, or after 10 s without progress, the connection is closed with 4008 and can resume.

**Heartbeats** count up by one and carry a cursor. A WebSocket ping goes with each; without a pong by the next one the connection is closed with 4012.

**Close codes**: 4000–4499 mean reconnect (4001 draining, 4005 key rotated, 4008 slow, 4012 no pong); 4500–4999 mean do not (4501 bad request, 4503 tier or scope, 4504 connection limit, 4505 key revoked or expired).

**Socket.IO** (version 4 clients, WebSocket transport) is served on the same paths: each frame is an event named by its type, with the frame as its payload; clients emit \`subscribe\`, \`unsubscribe\` and \`ping\`. Socket.IO hides close codes, so a \`closing\` frame tells them.`;
