import type { PeriodResult, ReplayedDay } from './replay';

const WIDTH = 900;
const HEIGHT = 300;
const LEFT = 40;
const TOP = 30;
const PLOT = { width: WIDTH - LEFT - 20, height: HEIGHT - TOP - 30 };

/**
 * Returns an SVG of the volatility component over the days, with its 85th percentile and the periods of
 * stress.
 */
export function replayChart(series: readonly ReplayedDay[], periods: readonly PeriodResult[]): string {
  const index = new Map(series.map(({ day }, at) => [day, at]));
  const x = (at: number): number => round(LEFT + (PLOT.width * at) / (series.length - 1));
  const y = (points: number): number => round(TOP + PLOT.height * (1 - points / 100));
  const years = series.flatMap(({ day }, at) =>
    day.endsWith('-01-01') ? [{ year: day.slice(0, 4), at }] : [],
  );
  const limit = periods[0]?.limit ?? 0;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    '<style>text{font:12px sans-serif;fill:#333}</style>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...periods.map(({ from, to }) => {
      const [left, right] = [x(index.get(from)!), x(index.get(to)!)];
      return `<rect x="${left}" y="${TOP}" width="${round(right - left + 3)}" height="${PLOT.height}" fill="#f6d5cd"/>`;
    }),
    ...[0, 25, 50, 75, 100].flatMap((points) => [
      `<path d="M${LEFT} ${y(points)}H${LEFT + PLOT.width}" stroke="#e3e3e3"/>`,
      text(LEFT - 6, y(points) + 4, 'end', String(points)),
    ]),
    ...years.map(({ year, at }) => text(x(at), HEIGHT - 10, 'middle', year)),
    `<path d="M${LEFT} ${y(limit)}H${LEFT + PLOT.width}" stroke="#c8553d" stroke-dasharray="5 4"/>`,
    `<polyline points="${series.map(({ points }, at) => `${x(at)},${y(points)}`).join(' ')}" fill="none" stroke="#0b6e4f" stroke-width="1"/>`,
    ...periods.map(({ name, from }) => text(x(index.get(from)!), TOP - 8, 'middle', name)),
    text(LEFT + PLOT.width, y(limit) - 5, 'end', '85th percentile'),
    '</svg>',
    '',
  ].join('\n');
}

function text(left: number, top: number, anchor: string, content: string): string {
  return `<text x="${left}" y="${top}" text-anchor="${anchor}">${content}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
