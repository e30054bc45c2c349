// Runs in Node, Deno, Bun, workerd and browsers. It uses only what all of them have.
import { ApiError, Plimsoll, webhooks } from '@plimsoll/sdk';

/**
 * Yields what the SDK does here, one line for each step.
 * @param scene PLIMSOLL_API_KEY, PLIMSOLL_URL, WALLET, and a recorded request of a webhook with its SECRET. Optional: a RECEIPT
 * with the published KEYS and the RPC_URL of a node
 */
export async function* steps(scene) {
  const { PLIMSOLL_API_KEY, PLIMSOLL_URL, WALLET, BODY, HEADERS, SECRET, RECEIPT, KEYS, RPC_URL } = scene;
  const client = new Plimsoll({ apiKey: PLIMSOLL_API_KEY, baseUrl: PLIMSOLL_URL });

  const [position] = await client.positions.list({ wallet: WALLET }).take(1);
  yield `position ${position.wallet} ${typeof position.healthFactorRaw}`;

  const event = await webhooks.verify(BODY, JSON.parse(HEADERS), SECRET);
  const wrong = await webhooks.verify(`${BODY} `, JSON.parse(HEADERS), SECRET).catch(({ code }) => code);
  yield `webhook ${event.event} ${wrong}`;

  if (RECEIPT) {
    const { verifyReceipt } = await import('@plimsoll/sdk/verify');
    const options = { keys: JSON.parse(KEYS), rpcUrl: RPC_URL };
    const { code, isRead, isRecomputed } = await verifyReceipt(RECEIPT, options);
    const tampered = await verifyReceipt(RECEIPT.replace('"kind":"position"', '"kind":"crossing"'), options);
    const changed = await verifyReceipt(RECEIPT.replace(/("totalDebt":")/, '$11'), options);
    yield `receipt ${code} ${isRead} ${isRecomputed} ${tampered.code} ${changed.code}`;
  }

  const error = await client.alerts.list({ limit: 1_000 }).then(null, (each) => each);
  yield `error ${error instanceof ApiError} ${error.code} ${error.field}`;

  const seen = new Set();
  for await (const frame of client.streams.positions()) {
    if (frame.type === 'snapshot' && !seen.has('snapshot')) yield 'snapshot';
    seen.add(frame.type);
    if (frame.type === 'event') break;
  }
  yield `stream ${[...seen].sort().join(' ')}`;
}
