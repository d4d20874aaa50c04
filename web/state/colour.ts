/** A colour of the palette in the current theme. */
export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement)
    .getPropertyValue(`--${name.replaceAll('_', '-')}`)
    .trim()
}
