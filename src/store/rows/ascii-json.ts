/**
 * A value as JSON for a text column. If only a few characters are not ASCII, they are escaped: without them SQLite's texts
 * become JavaScript strings in half the time. If there are many, the text would grow too much.
 */
export function asciiJson(value: unknown): string {
  const text = JSON.stringify(value)
  const more = Buffer.byteLength(text) - text.length
  if (more === 0 || more > text.length * MOST_OF_TEXT) return text
  return text.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Bytes beyond one for each character: English with its dashes and most languages of Latin letters have less. */
const MOST_OF_TEXT = 1 / 16

const NOT_ASCII = /[\u0080-\uffff]/g
