/** `2026-11-15 06:07`, in the time of the reader. */
export function localDateTime(at: number): string {
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
  return minutes < 30 * 24 * 60 ? `${Math.floor(minutes / 1440)} d` : localDateTime(at).slice(0, 10)
}

function two(value: number): string {
  return `${value}`.padStart(2, '0')
}
