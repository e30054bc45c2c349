/** A page that is written in a Markdown file of the repository. */
export interface WrittenPage {
  /** Path below /docs, without a leading slash. Empty: the first page. */
  path: string;
  file: string;
  /** Name in the navigation. */
  name: string;
}

export interface Section {
  name: string;
  pages: readonly WrittenPage[];
}

const page = (path: string, name: string, file = `docs/${path}.md`): WrittenPage => ({ path, file, name });

/** The written pages that users of the API need. Those for developers of the platform are not published. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'Start',
    pages: [
      page('', 'Overview', 'docs/product/overview.md'),
      page('quick-start', 'Quick start', 'docs/product/quick-start.md'),
      page('glossary', 'Glossary'),
      page('changelog', 'Changelog', 'CHANGELOG.md'),
    ],
  },
  {
    name: 'Concepts',
    pages: [
      page('concepts/positions', 'Positions and risk'),
      page('concepts/alerts', 'Alerts'),
      page('model', 'The risk model'),
      page('coverage', 'Coverage'),
    ],
  },
  {
    name: 'Rules of the API',
    pages: [
      page('api/authentication', 'Authentication'),
      page('api/conventions', 'Conventions'),
      page('api/errors', 'Errors'),
      page('api/limits', 'Limits'),
      page('api/test-mode', 'Test mode'),
      page('api/accounts', 'Accounts and keys'),
    ],
  },
  {
    name: 'Webhooks and streams',
    pages: [
      page('guides/receiving-webhooks', 'Receiving webhooks'),
      page('api/webhooks', 'Webhooks'),
      page('api/streams', 'Streams'),
    ],
  },
  {
    name: 'Resources',
    pages: [
      page('api/positions', 'Positions'),
      page('api/wallets', 'Wallets'),
      page('api/alerts', 'Alerts and incidents'),
      page('api/automation', 'Automation'),
      page('api/simulations', 'Simulations'),
      page('api/analytics', 'Portfolio and history'),
      page('api/prices', 'Prices'),
      page('api/market-rates', 'Market rates'),
      page('api/exit-liquidity', 'Exit liquidity'),
      page('api/market-risk', 'Market risk'),
      page('api/protocols-and-chains', 'Protocols and chains'),
      page('api/whales', 'Whales'),
      page('api/ai', 'AI'),
      page('api/execution', 'Execution'),
      page('api/status', 'Status and usage'),
      page('guides/verify', 'Verifying a receipt'),
      page('guides/receipt-formulas', 'Formulas of receipts'),
      page('guides/simulation-model', 'Model of simulations'),
    ],
  },
];

export const WRITTEN_PAGES = SECTIONS.flatMap(({ pages }) => pages);

export const RECEIPT_SCHEMAS = ['receipt', 'crossing-receipt', 'simulation-receipt', 'forecast-receipt'].map(
  (name) => `docs/${name}.schema.json`,
);

/** Address of a file of the repository on the site; undefined when it is not published. */
export function addressOf(file: string): string | undefined {
  if (file === 'docs/openapi.json') return '/openapi.json';
  if (file === 'docs/asyncapi.json') return '/asyncapi.json';
  if (RECEIPT_SCHEMAS.includes(file)) return `/docs/${file.split('/').at(-1)}`;
  if (file === 'docs/api/README.md') return '/docs/reference';
  if (file === 'docs/api/error-codes.md') return '/docs/errors';
  if (/^docs\/(pictures\/)?[\w-]+\.svg$/.test(file)) return `/docs/pictures/${file.split('/').at(-1)}`;
  const written = WRITTEN_PAGES.find((each) => each.file === file);
  return written && (written.path === '' ? '/docs' : `/docs/${written.path}`);
}
