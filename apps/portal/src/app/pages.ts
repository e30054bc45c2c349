/** Pages of the navigation by group, in their order. */
export const GROUPS = [
  ['Risk', [['/positions', 'Positions']]],
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
