import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SdkModel } from './sdk-model';

const PROMPT = { system: 'Write.', user: '{"facts":[]}' };
const WIRE = { claims: [{ text: 'It is 1.', factIds: ['a'], section: null }], cannotAnswer: null };
const DRAFT = { claims: [{ text: 'It is 1.', factIds: ['a'] }], cannotAnswer: null };
const KEY = 'key-0123456789';

describe('SdkModel', () => {
  let call: { url: string | undefined; headers: IncomingHttpHeaders; body: Record<string, unknown> };
  let answer: (response: ServerResponse) => void;
  const stays = new AbortController().signal;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      call = { url: request.url, headers: request.headers, body: JSON.parse(body) as typeof call.body };
      answer(response);
    });
  });
  const model = (over: object = {}): SdkModel =>
    new SdkModel({
      AI_PROVIDER: 'openai-compatible',
      AI_MODEL: 'some-model',
      AI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      AI_API_KEY: KEY,
      AI_JSON_SCHEMA: true,
      AI_MAX_OUTPUT_TOKENS: 500,
      ...over,
    });
  const json = (body: object, status = 200, headers: Record<string, string> = {}) => {
    answer = (response) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
  };
  const completion = (content: string, over: object = {}) =>
    json({
      id: 'c',
      object: 'chat.completion',
      created: 0,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 70, completion_tokens: 7, total_tokens: 77 },
      ...over,
    });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  it('calls an OpenAI-compatible server with a JSON schema, and returns the draft with its tokens', async () => {
    completion(JSON.stringify(WIRE));
    expect(await model().write(PROMPT, stays)).toEqual({ draft: DRAFT, usage: { input: 70, output: 7 } });
    expect(call).toMatchObject({
      url: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'some-model', max_tokens: 500, response_format: { type: 'json_schema' } },
    });
    await model({ AI_JSON_SCHEMA: false }).write(PROMPT, stays);
    expect(call.body['response_format']).toEqual({ type: 'json_object' });
  });

  it('calls Anthropic, which responds in text or through a tool', async () => {
    const message = (content: object) => ({
      type: 'message',
      id: 'm',
      role: 'assistant',
      model: 'm',
      content: [content],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 70, output_tokens: 7 },
    });
    json(message({ type: 'text', text: JSON.stringify(WIRE) }));
    const newer = model({ AI_PROVIDER: 'anthropic', AI_MODEL: 'claude-sonnet-4-5' });
    expect(await newer.write(PROMPT, stays)).toEqual({ draft: DRAFT, usage: { input: 70, output: 7 } });
    expect(call).toMatchObject({ url: '/v1/messages', headers: { 'x-api-key': KEY } });
    json(message({ type: 'tool_use', id: 't', name: 'json', input: WIRE }));
    const older = model({ AI_PROVIDER: 'anthropic', AI_MODEL: 'claude-3-5-haiku-20241022' });
    expect((await older.write(PROMPT, stays)).draft).toEqual(DRAFT);
  });

  it('has no token count if the server does not report it', async () => {
    completion(JSON.stringify(WIRE), { usage: undefined });
    expect((await model().write(PROMPT, stays)).usage).toBeNull();
  });

  it('distinguishes failures by kind, without any text of the server', async () => {
    const failure = (work: Promise<unknown>) => work.then(String, (error: Error) => error);
    json({ error: { message: `secret ${KEY}` } }, 429, { 'retry-after': '3' });
    expect(await failure(model().write(PROMPT, stays))).toMatchObject({
      kind: 'rate_limited',
      options: { status: 429, retryAfterMs: 3_000 },
    });
    json({ error: { message: `secret ${KEY}` } }, 503);
    expect(await failure(model().write(PROMPT, stays))).toMatchObject({ kind: 'failed' });
    json({ error: { message: `secret ${KEY}` } }, 401);
    const refused = await failure(model().write(PROMPT, stays));
    expect(refused).toMatchObject({ kind: 'refused', message: 'the model gave no draft: refused (401)' });
    expect((refused as Error).cause).toBeUndefined();
    completion('It is 1.');
    expect(await failure(model().write(PROMPT, stays))).toMatchObject({
      kind: 'broken_draft',
      options: { usage: { input: 70, output: 7 } },
    });
    answer = (response) => response.destroy();
    expect(await failure(model().write(PROMPT, stays))).toMatchObject({ kind: 'unreachable' });
  });

  it('distinguishes a missed deadline from a caller who disconnected', async () => {
    answer = () => undefined;
    await expect(model().write(PROMPT, AbortSignal.timeout(50))).rejects.toMatchObject({ kind: 'late' });
    await expect(model().write(PROMPT, AbortSignal.abort())).rejects.toMatchObject({ kind: 'left' });
  });
});
