import type { CodeTab } from '../design/code';

/** The first call in three languages. None needs a package. */
export function firstCall(origin: string, key: string): CodeTab[] {
  const url = `${origin}/v1/prices?symbols=ETH,BTC`;
  return [
    {
      id: 'curl',
      label: 'curl',
      code: `curl -H "x-api-key: ${key}" \\\n  "${url}"`,
      note: 'Paste it into a terminal.',
    },
    {
      id: 'typescript',
      label: 'TypeScript',
      code: `const response = await fetch('${url}', {
  headers: { 'x-api-key': '${key}' },
});
console.log(response.status, await response.json());`,
      note: 'Save it as first-call.mts, then run node first-call.mts (Node 22.18 or later).',
    },
    {
      id: 'python',
      label: 'Python',
      code: `import json, urllib.request

request = urllib.request.Request('${url}',
                                 headers={'x-api-key': '${key}'})
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
      note: 'Save it as first_call.py, then run python3 first_call.py.',
    },
  ];
}
