/** A text in which nothing but line ends and tabs moves the cursor, sets colours or turns the direction: each such character is shown by its code. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeOf)
}

/** A value as JSON that is safe on a terminal, too. Its strings are the same: `JSON.stringify` leaves characters as they are that JSON can escape. */
export function printableJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replace(UNPRINTABLE, escapeOf)
}

/** Control characters (C0, DEL, C1), and the marks that turn or isolate the direction of a text. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/gu

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
