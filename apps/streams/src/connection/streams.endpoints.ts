import { StreamQuery } from '@plimsoll/contracts';
import { documentEndpoint } from '@plimsoll/openapi';

const OWN =
  'The default filter is the account’s watched wallets. The stream never sends data of another account.';

documentStream('GET /v1/streams/positions', 'streamPositions', 'position changes', OWN);
documentStream('GET /v1/streams/alerts', 'streamAlerts', 'alerts', OWN);
documentStream(
  'GET /v1/streams/whales',
  'streamWhales',
  'whale activity',
  'The stream sends moves of all wallets. A filter narrows them.',
);

/** An upgrade has no controller. */
function documentStream(key: string, operationId: string, what: string, scope: string): void {
  documentEndpoint(key, {
    operationId,
    tag: 'Streams',
    summary: `Stream of ${what}`,
    description: `Opens a WebSocket that sends JSON text frames. Send the key in the handshake’s headers, or, from a browser, a ticket in the query. The AsyncAPI document describes the frames. ${scope} A request without the upgrade is \`invalid_request\`.`,
    query: StreamQuery,
    responses: [{ status: 101, description: 'The connection is now a WebSocket.', schema: null }],
  });
}
