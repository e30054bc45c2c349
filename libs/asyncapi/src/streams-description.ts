/** Rules of the streams that the frame schemas cannot express. */
export const STREAMS_DESCRIPTION = `Real-time changes of an account's positions and alerts, and whale activity. Positions and alerts only come from the account’s watched wallets. A stream never sends data of another account. Whale activity is the same for all accounts. A filter only narrows a stream.

**Connect** with an API key in the handshake’s headers. A refused handshake receives a plain HTTP response before the upgrade: 401, 403 (tier or scope), 429, 503 with Retry-After. One text message is one JSON object with a \`type\`. The limits are 100 connections of an account on one instance, 128 subscriptions per connection, 16 KiB per message and 10 messages a second to the service.

**Subscribe** with an id of your own. The positions stream begins with a snapshot. Each event follows once per connection, for any number of matching subscriptions. \`riskLevel\` is the level of the figures beside it, by the thresholds in \`welcome\`. \`band\` adds a hysteresis of 0.02 for notifications.

**Resume**: keep the \`cursor\` of the last event or heartbeat. After a reconnect to any instance, send it as \`since\`. Every missed event comes once, in the order of its position (or account, or whale wallet), then \`resumed\` with \`recovered: true\`. When the cursor is older than the window (10 minutes by default), the service sends \`gap\`, \`resumed\` with \`recovered: false\`, and for positions a new snapshot. A cursor belongs to the whole connection: use the latest one for all its subscriptions.

**Slow clients**: above 256 KiB of unsent data, the service conflates positions to the latest state of each (\`conflated: true\`). It never conflates alerts and whale activity. Above 1 MiB, or after 10 s without progress, it closes the connection with 4008, and the client can resume.

**Heartbeats** have a number that increases by one, and a cursor. A WebSocket ping comes with each. Without a pong before the next one, the service closes the connection with 4012.

**Close codes**: after 4000–4499 reconnect (4001 draining, 4005 key rotated, 4008 slow, 4012 no pong). After 4500–4999 do not (4501 bad request, 4503 tier or scope, 4504 connection limit, 4505 key revoked or expired, 4506 session ended, 4507 account ended). A stream closes within a second of the end of its key, its session or its account, and of a change to a tier without streams.

**Socket.IO** (version 4 clients, WebSocket transport) works on the same paths. Each frame is an event with the name of its type and the frame as its payload. Clients emit \`subscribe\`, \`unsubscribe\` and \`ping\`. Socket.IO hides close codes, so a \`closing\` frame reports them.`;
