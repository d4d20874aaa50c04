/** A name or a title as PostgreSQL can hold it: it has no NUL, and UTF-8 has no lone surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Text to search in, and for: without what PostgreSQL cannot hold. */
export function searchable(text: string): string {
  return text.replace(/[\0\uD800-\uDFFF]/gu, '')
}

/** Text in which upper and lower case are the same, whatever the locale of the database. */
export function folded(text: string): string {
  return searchable(text).toLowerCase()
}

/** The LIKE pattern of what contains the text, in whatever case, when matched with a folded text. */
export function containing(text: string): string {
  return `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`
}
