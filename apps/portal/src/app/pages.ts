import { isLocal } from '../design/local';

/** Pages of the navigation by group, in their order. */
export const GROUPS = [
  [
    'Risk',
    [
      ['/positions', 'Positions'],
      ['/crash', 'Crash view'],
      ['/whales', 'Whales'],
      ...(isLocal ? [['/local-market', 'Local market'] as const] : []),
    ],
  ],
  [
    'Develop',
    [
      ['/', 'Home'],
      ['/keys', 'Keys'],
      ['/webhooks', 'Webhooks'],
      ['/events', 'Events'],
      ['/requests', 'Requests'],
      ['/usage', 'Usage'],
      ['/try-it', 'Try it'],
    ],
  ],
] as const;

export const PAGES = GROUPS.flatMap(([, pages]) => [...pages]);
