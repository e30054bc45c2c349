import { readFileSync } from 'node:fs';
import { EXIT, Failure } from '../failure';

/**
 * Returns the text of a file, or of standard input for -.
 * @throws Failure for a file that cannot be read
 */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure(EXIT.usage, 'file_unreadable', `${file} cannot be read: ${(error as Error).message}`);
  }
}
