import { parseArgs } from 'node:util';

export const USAGE = `usage: npm run calibrate -- --folder DIR [--assets A,B] [--periods FROM:TO,FROM:TO] [--shift DAYS]
                        [--json] [--check] [--write]

  Forecasts every week of a price history with what was known at its start, compares with what came, and prints Brier
  score, log score, expected calibration error, sharpness and reliability of each model and period.

  --folder DIR     daily prices, one CSV an asset with the columns Date, Close, High, Low
                   (default: PRICES_DIR)
  --assets A,B     names of the CSV files (default: all of the folder but stable coins)
  --periods P,P    start dates of the forecasts, as 2018-01-01:2020-06-30 (default: two halves with equally many dates)
  --shift N        starts N days after Monday, 0-6 (default 0)
  --json           prints JSON
  --check          exits with 1 when a target is missed
  --write          writes the tables and the plot of docs/model.md`;

/** First and last start date, both included, in days since 1970. */
export interface Period {
  name: string;
  from: number;
  to: number;
}

export interface Arguments {
  folder: string;
  /** null: all of the folder. */
  assets: string[] | null;
  /** null: two halves. */
  periods: Period[] | null;
  shiftDays: number;
  isJson: boolean;
  isChecked: boolean;
  isWritten: boolean;
}

const DAY_MS = 86_400_000;
const PERIOD = /^(\d{4}-\d{2}-\d{2}):(\d{4}-\d{2}-\d{2})$/;

function dayOf(date: string): number {
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Error(`${date} is not a date.\n\n${USAGE}`);
  return time / DAY_MS;
}

/** @throws Error unless the periods are dates that do not overlap */
function periodsOf(text: string): Period[] {
  const periods = text.split(',').map((name) => {
    const [, from, to] = PERIOD.exec(name) ?? [];
    if (!from || !to) throw new Error(`${name} is no period. Write 2018-01-01:2020-06-30.\n\n${USAGE}`);
    return { name, from: dayOf(from), to: dayOf(to) };
  });
  const ordered = periods.toSorted((a, b) => a.from - b.from);
  const isDisjoint = ordered.every(({ from, to }, i) => from <= to && (i === 0 || ordered[i - 1]!.to < from));
  if (!isDisjoint) throw new Error(`The periods overlap or end before they start.\n\n${USAGE}`);
  return periods;
}

/**
 * @param pricesDir the folder without `--folder`
 * @throws Error that contains the usage for an unknown option, an invalid value or a missing folder
 */
export function parseArguments(args: readonly string[], pricesDir: string | undefined): Arguments {
  const values = optionsOf(args);
  const shiftDays = Number(values.shift);
  if (![0, 1, 2, 3, 4, 5, 6].includes(shiftDays)) throw new Error(`--shift takes 0 to 6.\n\n${USAGE}`);
  const folder = values.folder ?? pricesDir;
  if (!folder) throw new Error(`Name the folder of daily prices with --folder or PRICES_DIR.\n\n${USAGE}`);
  return {
    folder,
    assets: values.assets?.split(',') ?? null,
    periods: values.periods === undefined ? null : periodsOf(values.periods),
    shiftDays,
    isJson: values.json,
    isChecked: values.check,
    isWritten: values.write,
  };
}

function optionsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        folder: text,
        assets: text,
        periods: text,
        shift: { ...text, default: '0' },
        json: flag,
        check: flag,
        write: flag,
      },
    }).values;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, {
      cause: error,
    });
  }
}
