/** A setting as the user typed it: a number, a boolean, a list such as `mask, digest`, or a text. */
export function settingValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.includes(',') ? text.split(',').map((word) => word.trim()) : text
  }
}

/** A setting for the user to read. */
export function settingText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}
