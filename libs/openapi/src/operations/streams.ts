import { StreamTicket } from '@plimsoll/contracts';
import type { Operation, Operations } from '../operation';
import { TIMESTAMP } from './samples';

const OWN =
  'The default filter is the account’s watched wallets. The stream never sends data of another account.';

const stream = (operationId: string, what: string, scope = OWN): Operation => ({
  operationId,
  tag: 'Streams',
  summary: `Stream of ${what}`,
  description: `Opens a WebSocket that sends JSON text frames. Send the key in the handshake’s headers, or, from a browser, a ticket in the query. The AsyncAPI document describes the frames. ${scope} A request without the upgrade is \`invalid_request\`.`,
  responses: [{ status: 101, description: 'The connection is now a WebSocket.', schema: null }],
});

export const streamOperations: Operations = {
  'GET /v1/streams/positions': stream('streamPositions', 'position changes'),
  'GET /v1/streams/alerts': stream('streamAlerts', 'alerts'),
  'GET /v1/streams/whales': stream(
    'streamWhales',
    'whale activity',
    'The stream sends moves of all wallets. A filter narrows them.',
  ),
  'POST /v1/streams/tickets': {
    operationId: 'createStreamTicket',
    tag: 'Streams',
    summary: 'Create a ticket for a stream',
    description:
      'For browsers, which cannot set headers on a WebSocket: connect with `?ticket=` within 60 seconds. A ticket opens one stream that the key may open, once.',
    responses: [
      {
        status: 201,
        description: 'The ticket. It is shown once.',
        schema: StreamTicket,
        example: { ticket: `tkt_${'A'.repeat(43)}`, expiresAt: TIMESTAMP },
      },
    ],
    errors: ['upstream_unavailable'],
  },
};
