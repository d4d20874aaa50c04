/** A colour by its name in the palette, from the style of the theme that is on. */
export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement)
    .getPropertyValue(`--${name.replaceAll('_', '-')}`)
    .trim()
}
