const DAY_MS = 86_400_000;
const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

let day = Number.NaN;
let date = '';

/** An instant as Date#toISOString writes it, which takes twenty times as long. @param ms whole, since 1970 */
export function isoTime(ms: number): string {
  const today = Math.floor(ms / DAY_MS);
  if (today !== day) {
    date = new Date(ms).toISOString().slice(0, 11);
    day = today;
  }
  const inDay = ms - today * DAY_MS;
  const seconds = Math.floor(inDay / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = String(inDay - seconds * 1_000).padStart(3, '0');
  return `${date}${TWO[hours]}:${TWO[minutes - hours * 60]}:${TWO[seconds - minutes * 60]}.${rest}Z`;
}
