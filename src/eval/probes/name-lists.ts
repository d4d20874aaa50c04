/** A text without its lists of bare names. A list names much and says nothing about it, so it is measured separately. */
export function withoutNameLists(text: string): string {
  let inNames = false
  const kept = text.split('\n').filter((line) => {
    if (/^#{1,6} /.test(line)) inNames = /\bnames?\b|\bidentifiers?\b/i.test(line)
    else if (line.trim() === '') inNames = false
    return !inNames && !isNameList(line)
  })
  return kept.join('\n')
}

/** Four items or more, each a single word except for a last “and 12 more”, and most of them neither files nor addresses. */
function isNameList(line: string): boolean {
  const items = line
    .replace(/^\s*(?:[-*•]\s+)?(?:[^,:]{1,80}:\s+)?/, '')
    .split(/,\s+/)
    .map((item) => item.replace(/^`|[`.…]+$/g, ''))
  const words = items.filter((item) => BARE.test(item))
  const files = words.filter((item) => FILE_ENDING.test(item) || /^https?:/.test(item))
  // That many words in a row are a list, whatever they are the names of.
  if (items.length >= LONG_LIST) return words.length >= items.length * 0.9
  const isBare = items.slice(0, -1).every((item) => BARE.test(item))
  return items.length >= 4 && isBare && files.length < words.length / 2
}

const LONG_LIST = 20
const BARE = /^[\w$@#.:/+~-]+$/
const FILE_ENDING =
  /\.(?:[cm]?[jt]sx?|jsonl?|mdx?|py|go|rs|rb|java|kt|swift|c|h|cpp|cs|php|sh|ya?ml|toml|sql|html|css|txt|svg)$/
