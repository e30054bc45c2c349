/** What holds for every call: the text at the top of the document, Markdown. */
export const DESCRIPTION = `Risk intelligence on lending positions of wallets: positions with exact figures, alerts, signed webhooks and streams.

## Keys, tiers and scopes
Send an API key in \`x-api-key\`, or as \`Authorization: Bearer <key>\`. Each operation names the lowest tier that may call it (\`x-tier\`: open, pro, business, enterprise; each includes the ones before) and the scope that the key must hold (\`x-scope\`; null: any valid key). A revoked key stops working within a second. A signed-in browser may call from pages of this origin without a key: with its account’s tier, every scope, and 600 calls a minute of its own.

## Limits
Limits are per account, over all its keys: calls a minute, and calls a UTC day below the enterprise tier. The minute is a fixed window of 60 seconds at an offset of the account's own; exactly the number of calls named in \`X-RateLimit-Limit\` is admitted in it, and at \`X-RateLimit-Reset\` all of them are there again. Two windows may meet: around an edge, up to twice the number may pass within a minute. A refused call (429) uses up nothing; every other answer to a valid key counts, 304 and errors included. Calls without a valid key count on the client's address, with the figures of the open tier.

## Errors
Every error is \`application/problem+json\` (RFC 9457). Branch on \`code\`: it is stable, texts are not. \`errors\` names the wrong fields of a 400. A record of another account is 404, as if it were not there. Values above a cap are refused, never clamped. Unknown fields of a body are refused; unknown query parameters are ignored. Report \`requestId\` (also in \`X-Request-Id\`) when something failed on our side; your own \`X-Request-Id\` (1–128 characters of A–Z a–z 0–9 . _ -) is kept.

## Requests
Bodies are JSON (\`application/json\`), at most 1 MiB. HEAD is answered as GET, without the body.

## Doing things once
POSTs that create something take an \`Idempotency-Key\`: the same key and body within 24 hours give the first answer again, with \`Idempotency-Replayed: true\`; the same key with another body is 409 \`idempotency_mismatch\`.

## Lists
\`limit\` (1–200, default 50) and \`cursor\`; answers hold \`nextCursor\`, null on the last page. A cursor is opaque and good for the list that gave it. Newest comes first; positions: lowest health factor first. \`count\` is the number of items in the answer.

## Figures
USD amounts are doubles; beside them stand exact whole numbers as decimal digits (\`…Raw\`). Timestamps are ISO 8601 in UTC with milliseconds. \`healthFactor\` is null without debt: JSON has no infinity. Answers about positions name the block that they are from (\`asOfBlock\`, \`blockHash\`), and what could not be read (\`unreadable\`).

## Caching
GET answers carry an \`ETag\`; \`If-None-Match\` gives 304 while nothing changed.

## Changes
Answers may gain fields; what is there keeps its name and type. What will go is announced with \`Deprecation\` and \`Sunset\` headers at least 180 days before.`;
