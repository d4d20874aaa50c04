/** The number that the first group of a pattern finds in a text. */
export function numberIn(text: string, pattern: RegExp | undefined): number | undefined {
  const digits = pattern
    ?.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}
