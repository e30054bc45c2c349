export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow';

const CODES: Record<Style, readonly [number, number] | null> = {
  plain: null,
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

export type Paint = (style: Style, text: string) => string;

/** @param isColoured false: text stays as it is */
export const painter =
  (isColoured: boolean): Paint =>
  (style, text) => {
    const codes = CODES[style];
    return isColoured && codes ? `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m` : text;
  };
