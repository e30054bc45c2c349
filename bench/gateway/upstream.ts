import { createServer } from 'node:http';

/** Takes the place of a service: the same response of about 1 KB to everything, as cheaply as Node can. */
const position = {
  id: 'pos_1b9XkPzQ0sVf3mLr7TnYcA',
  protocol: 'aave-v3',
  chainId: 1,
  wallet: '0x7f2c9d1e4b8a6035f1d2c3b4a5968778695a4b3c',
  healthFactor: 1.4271,
  healthFactorRaw: '1427100000000000000',
  totalCollateralUsd: 125_331.12,
  totalDebtUsd: 71_902.55,
};
const body = Buffer.from(
  JSON.stringify({ positions: Array.from({ length: 4 }, () => position), nextCursor: null, unreadable: [] }),
);
const headers = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Content-Length',
  String(body.length),
  'ETag',
  '"a-tag"',
];

createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  request.resume();
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
