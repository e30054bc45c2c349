// Prints each step of program.mjs, which runs on a page in Chromium. The server of the page passes /v1 on to the platform,
// as that of a site does: the API has no CORS.
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { withPage } from './chromium.mjs';

const { PLIMSOLL_API_KEY, PLIMSOLL_URL, WALLET, BODY, HEADERS, SECRET, RECEIPT, KEYS, RPC_URL } = process.env;
const platform = new URL(PLIMSOLL_URL);
const SDK = path.resolve('node_modules/@plimsoll/sdk/dist');
const IMPORTS = { '@plimsoll/sdk': '/sdk/index.js', '@plimsoll/sdk/verify': '/sdk/verify.js' };
const PAGE = `<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

async function sendFile(url, response) {
  if (url === '/') return response.setHeader('content-type', 'text/html').end(PAGE);
  const file = url.startsWith('/sdk/') ? path.join(SDK, path.basename(url)) : path.basename(url);
  const text = await readFile(file).catch(() => null);
  if (text === null) return response.writeHead(404).end();
  response.setHeader('content-type', 'text/javascript').end(text);
}

function passOn(request, response) {
  const { method, headers, url: path } = request;
  const { hostname, port } = platform;
  const upstream = http.request({ hostname, port, method, headers, path }, (sent) => {
    response.writeHead(sent.statusCode, sent.headers);
    sent.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
}

function passOnUpgrade({ method, url, rawHeaders }, socket) {
  const upstream = net.connect(platform.port, platform.hostname);
  let head = `${method} ${url} HTTP/1.1\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  upstream.write(`${head}\r\n`);
  for (const [from, to] of [
    [socket, upstream],
    [upstream, socket],
  ])
    from.on('error', () => to.destroy()).pipe(to);
}

const server = http
  .createServer((request, response) => {
    if (request.url.startsWith('/v1/')) passOn(request, response);
    else void sendFile(request.url, response);
  })
  .on('upgrade', passOnUpgrade)
  .listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const ofReceipt = { RECEIPT, KEYS, RPC_URL };
const ofApi = { PLIMSOLL_API_KEY, PLIMSOLL_URL: origin + platform.pathname, WALLET, BODY, HEADERS, SECRET };
const scene = { ...ofApi, ...ofReceipt };
await withPage(origin, async (page) => {
  await page.exposeFunction('writeLine', (line) => void process.stdout.write(`${line}\n`));
  await page.evaluate(async (given) => {
    const { steps } = await import('/program.mjs');
    for await (const line of steps(given)) await globalThis.writeLine(line);
  }, scene);
});
server.closeAllConnections();
server.close();
