const whole = new Intl.NumberFormat('en-US')

/** 12345 as `12,345`. */
export function count(value: number): string {
  return whole.format(value)
}

/** A number of tokens that fits an axis: `12.5k`. */
export function short(value: number): string {
  if (value < 1_000) return `${Math.round(value)}`
  const [size, unit] = value < 1_000_000 ? [value / 1_000, 'k'] : [value / 1_000_000, 'M']
  return `${size < 10 ? Number(size.toFixed(1)) : Math.round(size)}${unit}`
}

/** `1 message`, `2 messages`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Two decimals, as everywhere in Pith; `N/A` when the window is not known. */
export function percent(value: number | undefined): string {
  return value === undefined ? 'N/A' : `${value.toFixed(2)} %`
}

/** A price in dollars, small ones to the hundredth of a cent. */
export function dollars(value: number): string {
  if (value === 0) return '$0'
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`
}

/** `2026-11-15 06:07`, in the time of the reader. */
export function dateTime(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock(at).slice(0, 5)}`
}

/** `06:07:08`. */
export function clock(at: number): string {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** How long ago: `now`, `5 min`, `3 h`, `2 d`, then the date. */
export function ago(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`
  return minutes < 30 * 24 * 60 ? `${Math.floor(minutes / 1440)} d` : dateTime(at).slice(0, 10)
}

function two(value: number): string {
  return `${value}`.padStart(2, '0')
}
