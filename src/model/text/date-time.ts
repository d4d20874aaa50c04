/** A time as `2026-11-15 21:24`, in UTC: the same log reads the same everywhere. Empty for a time that nobody gave. */
export function dateTime(at: number | undefined): string {
  if (at === undefined || !(at > 0 && at <= LAST_TIME)) return ''
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

/** The last one that four digits of a year can tell. */
const LAST_TIME = Date.UTC(9999, 11, 31)
