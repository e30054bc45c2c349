import type { ServiceTopics } from './service-topics';

/** The columns of the picture from left to right, with the purpose of each service. */
const COLUMNS: readonly { title: string; services: Readonly<Record<string, string>> }[] = [
  {
    title: 'read chains and markets',
    services: {
      positions: 'positions at every block',
      'market-data': 'prices, history, risk index',
      whales: 'large moves, clusters',
    },
  },
  {
    title: 'calculate and act',
    services: {
      simulation: 'what-if, forecasts, scores',
      ai: 'answers from facts',
      execution: 'deleverages on chain',
      sandbox: 'markets of test keys',
    },
  },
  {
    title: 'notify',
    services: {
      alerts: 'alerts, rules, incidents',
      'webhook-delivery': 'signed requests, retries',
      streams: 'WebSocket, resume',
    },
  },
];
const ENTRY = 'gateway';

const WIDTH = 1_000;
const MARGIN = 20;
const GAP = 20;
const BOX_WIDTH = (WIDTH - 2 * MARGIN - 2 * GAP) / 3;
const LINE = 15;
const BOX_TOP = 178;
const HEADER = 48;
const CHARACTERS = 39;

/** A line of topics, wrapped. */
function wrapped(label: string, topics: readonly string[]): string[] {
  if (topics.length === 0) return [];
  const lines: string[] = [];
  let line = label;
  for (const topic of topics) {
    const next = `${line} ${topic}`;
    if (next.length > CHARACTERS && line !== label) {
      lines.push(`${line},`);
      line = `   ${topic}`;
    } else line = line === label ? next : `${line}, ${topic}`;
  }
  return [...lines, line];
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const textAt = (x: number, y: number, kind: string, text: string): string =>
  `<text x="${x}" y="${y}" class="${kind}">${escaped(text)}</text>`;
const box = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" class="${kind}"/>`;
const arrow = (x1: number, y1: number, x2: number, y2: number): string =>
  `<path d="M${x1} ${y1} L${x2} ${y2}" class="arrow" marker-end="url(#head)"/>`;

/**
 * The architecture as an SVG: clients, the gateway, the services with the topics that they publish and
 * consume, Kafka, and the outside systems.
 * @throws Error when a service has no column here, or a column names a service that does not exist
 */
export function architecturePicture(services: readonly ServiceTopics[]): string {
  const byName = new Map(services.map((each) => [each.service, each]));
  const drawn = new Set([ENTRY, ...COLUMNS.flatMap(({ services: column }) => Object.keys(column))]);
  for (const name of byName.keys())
    if (!drawn.has(name)) throw new Error(`apps/${name} is not in the picture. Add it to COLUMNS.`);
  const topicsOf = (name: string): string[] => {
    const topics = byName.get(name);
    if (!topics)
      throw new Error(`The picture names ${name}, which apps/ does not have. Remove it from COLUMNS.`);
    return [...wrapped('publishes', topics.publishes), ...wrapped('consumes', topics.consumes)];
  };

  const parts: string[] = [];
  const rows = Math.max(...COLUMNS.map(({ services: column }) => Object.keys(column).length));
  const rowHeights = Array.from({ length: rows }, (_, row) =>
    Math.max(
      ...COLUMNS.map(({ services: column }) => {
        const name = Object.keys(column)[row];
        return name === undefined ? 0 : HEADER + LINE * topicsOf(name).length + 8;
      }),
    ),
  );
  const bottom = BOX_TOP + rowHeights.reduce((sum, height) => sum + height + GAP, 0);

  parts.push(box(MARGIN, 16, WIDTH - 2 * MARGIN, 30, 'outside'));
  parts.push(
    textAt(
      WIDTH / 2,
      36,
      'middle',
      'clients: REST with an API key, WebSocket streams, a browser with a session',
    ),
  );
  parts.push(arrow(WIDTH / 2, 46, WIDTH / 2, 66));
  parts.push(box(MARGIN, 68, WIDTH - 2 * MARGIN, 62, 'service'));
  parts.push(textAt(MARGIN + 14, 90, 'name', ENTRY));
  parts.push(
    textAt(
      MARGIN + 100,
      90,
      'purpose',
      'keys, tiers, scopes, limits, routing; a signed identity for every request',
    ),
  );
  topicsOf(ENTRY).forEach((line, at) => parts.push(textAt(MARGIN + 14, 110 + at * LINE, 'topics', line)));

  COLUMNS.forEach(({ title, services: column }, index) => {
    const x = MARGIN + index * (BOX_WIDTH + GAP);
    parts.push(arrow(x + BOX_WIDTH / 2, 130, x + BOX_WIDTH / 2, 150));
    parts.push(textAt(x, BOX_TOP - 8, 'title', title));
    let y = BOX_TOP;
    Object.entries(column).forEach(([name, purpose], row) => {
      const height = rowHeights[row] ?? 0;
      parts.push(box(x, y, BOX_WIDTH, height, 'service'));
      parts.push(textAt(x + 14, y + 21, 'name', name));
      parts.push(textAt(x + 14, y + 38, 'purpose', purpose));
      topicsOf(name).forEach((line, at) =>
        parts.push(textAt(x + 14, y + HEADER + 8 + at * LINE, 'topics', line)),
      );
      y += height + GAP;
    });
  });

  parts.push(box(MARGIN, bottom, WIDTH - 2 * MARGIN, 34, 'kafka'));
  parts.push(
    textAt(
      WIDTH / 2,
      bottom + 22,
      'middle',
      'Kafka: every event is written in the transaction of its state change, and handled once',
    ),
  );
  const outside = [
    'EVM nodes: blocks, logs, oracles',
    'EVM nodes: simulations, signed runs',
    'customers: webhooks, stream frames',
  ];
  outside.forEach((text, index) => {
    const x = MARGIN + index * (BOX_WIDTH + GAP);
    parts.push(box(x, bottom + 54, BOX_WIDTH, 30, 'outside'));
    parts.push(textAt(x + BOX_WIDTH / 2, bottom + 74, 'middle', text));
  });
  const height = bottom + 100;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" role="img" aria-label="Services of Plimsoll with the events that they publish and consume">
<!-- npm run tool -- architecture-picture draws this picture from the sources of the apps. -->
<style>
rect.page{fill:#fff}.service{fill:#f4f7fb;stroke:#5b7ca3}.kafka{fill:#fdf3e1;stroke:#b98a2f}.outside{fill:#fff;stroke:#9aa4b1;stroke-dasharray:4 3}
text{fill:#1f2a37}.name{font-size:15px;font-weight:600}.purpose{font-size:12.5px;fill:#41505f}.topics{font-size:11.5px;font-family:ui-monospace,monospace;fill:#3c5a80;white-space:pre}.title{font-size:12.5px;fill:#6b7785}.middle{font-size:13px;text-anchor:middle}
.arrow{stroke:#5b7ca3;stroke-width:1.5;fill:none}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#5b7ca3"/></marker></defs>
<rect class="page" width="${WIDTH}" height="${height}"/>
${parts.join('\n')}
</svg>
`;
}
