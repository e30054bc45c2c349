import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type PromptData, contentOf } from './drafts';

/** How the mock behaves. */
export const MODEL_MODES = [
  'answers',
  'fenced',
  'invents',
  'invents_once',
  'swaps',
  'obeys_injections',
  'breaks_schema',
  'stalls',
  'rate_limits',
  'fails',
  'redirects',
  'floods',
  'hangs_up',
] as const;
export type ModelMode = (typeof MODEL_MODES)[number];

/** An OpenAI-compatible server in the place of a language model. */
export interface MockModel {
  /** Value of AI_BASE_URL. */
  url: string;
  mode: ModelMode;
  /** The data of the prompt and the headers of each received call. */
  calls: { data: PromptData; body: string; authorization: string | undefined }[];
  /** Calls whose sender disconnected before a response. */
  abandoned: number;
  close(): Promise<void>;
}

/** Starts the mock on a free port. */
export async function startMockModel(mode: ModelMode): Promise<MockModel> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
    const data = JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '{}') as PromptData;
    mock.calls.push({ data, body, authorization: request.headers.authorization });
    response.once('close', () => {
      if (!response.writableFinished) mock.abandoned += 1;
    });
    respond(mock, response, data);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mock: MockModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    mode,
    calls: [],
    abandoned: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return mock;
}

function respond({ mode, calls, url }: MockModel, response: ServerResponse, data: PromptData): void {
  const content = contentOf(mode, data, calls.length - 1);
  if (content !== null) {
    send(response, 200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: 'mock',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
    });
  } else if (mode === 'rate_limits') {
    send(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '30' });
  } else if (mode === 'fails') {
    send(response, 500, { error: { message: 'The health factor is 98765.43.' } });
  } else if (mode === 'redirects') {
    send(response, 307, {}, { location: `${url}/elsewhere` });
  } else if (mode === 'floods') {
    response.writeHead(200, { 'content-type': 'application/json' });
    flood(response);
  } else if (mode === 'hangs_up') {
    response.destroy();
  }
}

/** Sends spaces, which JSON may begin with, as long as they are read. */
function flood(response: ServerResponse): void {
  while (!response.destroyed && response.write(' '.repeat(65_536)));
  if (!response.destroyed) response.once('drain', () => flood(response));
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
