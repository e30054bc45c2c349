import type { Operation, Operations } from '../operation';

const stream = (operationId: string, what: string): Operation => ({
  operationId,
  tag: 'Streams',
  summary: `Stream of ${what}`,
  description: `Opens a WebSocket that sends JSON text frames. Send the key in the handshake’s headers. The account’s watched wallets are the default filter; nothing of another account is ever sent. A call that does not ask for the upgrade is \`invalid_request\`.`,
  answers: [{ status: 101, description: 'The connection is a WebSocket from here on.', schema: null }],
});

export const streamOperations: Operations = {
  'GET /v1/streams/positions': stream('streamPositions', 'position changes'),
  'GET /v1/streams/alerts': stream('streamAlerts', 'alerts'),
};
