/** A time as `2026-11-15 21:24`, in UTC, so that a log looks the same everywhere. Empty for an unknown time. */
export function dateTime(at: number | undefined): string {
  if (at === undefined || !(at > 0 && at <= LAST_TIME)) return ''
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

/** The last time with a year of four digits. */
const LAST_TIME = Date.UTC(9999, 11, 31)
