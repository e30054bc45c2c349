/** The part of @usebruno/lang that is used here. The package has no types. */
interface BrunoLang {
  jsonToBruV2(request: object): string;
  bruToJsonV2(text: string): BrunoRequest;
  jsonToCollectionBru(collection: object): string;
  collectionBruToJson(text: string): { auth?: { mode: string; apikey?: object }; meta?: { name: string } };
  envJsonToBruV2(environment: object): string;
  bruToEnvJsonV2(text: string): { variables: { name: string; value: string; secret: boolean }[] };
}

export interface BrunoRequest {
  meta: { name: string; type: string; seq: string };
  http: { method: string; url: string; body: string; auth: string };
  params?: { name: string; value: string; type: 'query' | 'path'; enabled: boolean }[];
  headers?: { name: string; value: string; enabled: boolean }[];
  body?: { json: string };
  docs?: string;
}

// oxlint-disable-next-line typescript/no-require-imports
export const brunoLang = require('@usebruno/lang') as BrunoLang;
