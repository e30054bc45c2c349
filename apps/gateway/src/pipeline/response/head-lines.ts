/**
 * Returns the lines of a head, without the empty one at its end.
 * @param headers flat list
 */
export function headLines(headers: readonly string[]): string {
  let text = '';
  for (let at = 0; at + 1 < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}
