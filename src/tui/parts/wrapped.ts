import { wrapTextWithAnsi } from '@earendil-works/pi-tui/dist/utils.js'

/** The lines of a text, broken between words where possible. */
export function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width)))
}
