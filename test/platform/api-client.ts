import { expectDocumented } from '@plimsoll/testing';

/** A response of the API with its body parsed. */
export interface ApiResponse<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** Calls the API as a client does. A response that the OpenAPI document does not describe fails. */
export interface ApiClient {
  get<T>(path: string): Promise<ApiResponse<T>>;
  post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse<T>>;
  delete<T>(path: string): Promise<ApiResponse<T>>;
}

/** @param baseUrl ends with /v1 */
export function apiClient(baseUrl: string, key: string): ApiClient {
  const call = async <T>(method: string, path: string, body?: unknown, extra?: Record<string, string>) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        'x-api-key': key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...extra,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : null) as T,
    };
    expectDocumented(method, `/v1${path}`, answer);
    return answer;
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    delete: (path) => call('DELETE', path),
  };
}
