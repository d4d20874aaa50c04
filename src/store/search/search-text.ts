/** A piece of text around the first place where a query occurs in it, on one line. */
export function snippet(text: string, query: string, characters = 160): string {
  const at = placeOf(text, query)
  const from = Math.max(0, at - Math.max(0, Math.floor((characters - query.length) / 2)))
  const piece = text
    .slice(from, from + characters)
    .replace(/\s+/g, ' ')
    .trim()
  return `${from > 0 ? '…' : ''}${piece}${from + characters < text.length ? '…' : ''}`
}

/** Without `toLowerCase`: some letters are longer in lower case, and the place would shift. */
function placeOf(text: string, query: string): number {
  const exact = text.indexOf(query)
  if (exact !== -1) return exact
  const literal = query.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  return Math.max(0, text.search(new RegExp(literal, 'i')))
}
