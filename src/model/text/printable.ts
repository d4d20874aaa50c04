/** A text without characters that move the cursor, set colours or change the direction, except line ends and tabs: each is replaced by its code. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeOf)
}

/** A value as JSON that is safe on a terminal, too. Its strings stay the same: it only escapes more characters than `JSON.stringify` does. */
export function printableJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replace(UNPRINTABLE, escapeOf)
}

/** Control characters (C0, DEL, C1), and the marks that turn or isolate the direction of a text. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/gu

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
