/** A number of bytes for people: `512 bytes`, `3.4 kB`, `120 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power - 1]}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const
