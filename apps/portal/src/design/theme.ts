export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'plimsoll-theme';
const DARK = matchMedia('(prefers-color-scheme: dark)');

const isTheme = (value: string | null): value is Theme => THEMES.some((each) => each === value);

/** The theme that the user chose in this browser. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return isTheme(stored) ? stored : 'system';
}

function apply(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && DARK.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  apply(theme);
}

/** Applies the chosen theme, and follows the system where it was chosen. */
export function startTheme(): void {
  apply(chosenTheme());
  DARK.addEventListener('change', () => apply(chosenTheme()));
}
