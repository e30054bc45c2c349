import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@plimsoll/local-parts';
import { Collection, Request, Variable } from 'postman-collection';
import type { ClientScene } from './go-client';

const FILE = path.join(workspaceRoot(), 'clients/collections/plimsoll.postman_collection.json');

/** The collection that the build wrote, read by the SDK of Postman, against the platform of the suite. */
export function describeCollections(scene: () => ClientScene): void {
  describe('the Postman collection', () => {
    it('reads the platform with its key and address', async () => {
      const { environment } = scene();
      const collection = new Collection(JSON.parse(readFileSync(FILE, 'utf8')) as object);
      const values = {
        baseUrl: new URL(environment['PLIMSOLL_URL']!).origin,
        apiKey: environment['PLIMSOLL_API_KEY']!,
      };
      const [, key] = collection.auth!.parameters().all();
      expect(String(key?.value)).toBe('{{apiKey}}');
      for (const [name, value] of Object.entries(values))
        collection.variables.upsert(new Variable({ key: name, value }));
      const requests: { name: string; url: string }[] = [];
      collection.forEachItem(({ name, request }) => {
        if (request.method !== 'GET') return;
        const resolved = new Request(request.toObjectResolved(collection, []));
        requests.push({ name, url: resolved.url.toString() });
      });
      expect(requests.length).toBeGreaterThan(25);
      for (const { name, url } of requests) {
        const response = await fetch(url, {
          headers: { 'x-api-key': values.apiKey },
          signal: AbortSignal.timeout(30_000),
        });
        const { code } = (await response.json()) as { code?: string };
        // The records of the examples exist nowhere. The code of a route that is not found is another.
        const isExpected =
          response.ok ||
          (response.status === 404 && code === 'not_found') ||
          (url.includes('/v1/test/') && code === 'test_key_required');
        expect([name, url, isExpected || [response.status, code]]).toEqual([name, url, true]);
      }
    }, 120_000);
  });
}
