import { HORIZONS_DAYS, MODELS, type Model } from './forecasts';
import type { Calibration } from './reliability';

const SIDE = 300;
const MARGIN = 48;
const PANEL = SIDE + 2 * MARGIN;
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const COLOURS: Readonly<Record<Model, string>> = {
  fhs: '#0b6e4f',
  'fhs-drift': '#d9a441',
  gbm: '#c8553d',
  'daily-step': '#5b6c94',
};

const x = (share: number): number => Math.round((MARGIN + share * SIDE) * 10) / 10;
const y = (share: number): number => Math.round((MARGIN + (1 - share) * SIDE) * 10) / 10;

const text = (left: number, top: number, anchor: string, content: string): string =>
  `<text x="${left}" y="${top}" text-anchor="${anchor}">${content}</text>`;

function frame(title: string): string[] {
  const ticks = TICKS.flatMap((tick) => [
    `<path d="M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}" stroke="#e3e3e3"/>`,
    text(x(tick), y(0) + 16, 'middle', String(tick)),
    text(x(0) - 6, y(tick) + 4, 'end', String(tick)),
  ]);
  return [
    ...ticks,
    `<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#999" stroke-dasharray="4 4"/>`,
    text(x(0.5), MARGIN - 16, 'middle', title),
    text(x(0.5), y(0) + 34, 'middle', 'predicted'),
    `<text transform="translate(12 ${y(0.5)}) rotate(-90)" text-anchor="middle">observed</text>`,
  ];
}

function curve(model: Model, { bins }: Calibration, order: number): string[] {
  const colour = COLOURS[model];
  const points = bins.map(({ predicted, observed }) => `${x(predicted)},${y(observed)}`);
  return [
    `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    ...bins.map(
      ({ predicted, observed }) =>
        `<circle cx="${x(predicted)}" cy="${y(observed)}" r="3" fill="${colour}"/>`,
    ),
    `<circle cx="${x(0.06)}" cy="${y(0.95 - order * 0.06) - 4}" r="4" fill="${colour}"/>`,
    text(x(0.09), y(0.95 - order * 0.06), 'start', model),
  ];
}

/** Reliability diagrams as SVG: for each horizon the ten bins of every model, on the diagonal when calibrated. */
export function reliabilityChart(of: (horizonDays: number, model: Model) => Calibration): string {
  const panels = HORIZONS_DAYS.map((horizonDays, i) => [
    `<g transform="translate(${i * PANEL} 0)">`,
    ...frame(`${horizonDays} days`),
    ...MODELS.flatMap((model, order) => curve(model, of(horizonDays, model), order)),
    '</g>',
  ]);
  const width = PANEL * HORIZONS_DAYS.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${PANEL}" width="${width}" height="${PANEL}">`,
    '<style>text{font:12px sans-serif;fill:#333}</style>',
    `<rect width="${width}" height="${PANEL}" fill="#fff"/>`,
    ...panels.flat(),
    '</svg>',
    '',
  ].join('\n');
}
