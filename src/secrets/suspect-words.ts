/**
 * Finds the places of long words that begin in one of these ways. A word is a run of letters, digits and `_ - .`, as nearly
 * all keys and tokens are. Looks at every fifteenth character and from there only as far as a word goes: a regular
 * expression with a hundred beginnings takes twenty times as long.
 */
export function suspectWords(begins: readonly string[]): (text: string) => number[] {
  const byStart = new Map<number, string[]>()
  for (const begin of begins) {
    const key = keyOf(begin, 0)
    byStart.set(key, [...(byStart.get(key) ?? []), begin])
  }
  const isSuspect = (text: string, at: number) =>
    byStart.get(keyOf(text, at))?.some((begin) => text.startsWith(begin, at)) === true
  return (text) => {
    const found: number[] = []
    let at = LONG_WORD - 1
    while (at < text.length) {
      const from = wordStart(text, at, at - LONG_WORD + 1)
      if (at - from < LONG_WORD - 1) at = from + LONG_WORD - 1
      else {
        const start = wordStart(text, from, 0)
        if (isSuspect(text, start)) found.push(start)
        at = wordEnd(text, at) + LONG_WORD
      }
    }
    return found
  }
}

/** The shortest secrets have about twenty characters; `hooks.slack.com` stands before one and has fifteen. */
const LONG_WORD = 15

const IN_WORD = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.')
  IN_WORD[character.charCodeAt(0)] = 1

/** Where the word that has this character begins, at the earliest at `least`; the next place where there is no word. */
function wordStart(text: string, at: number, least: number): number {
  if (IN_WORD[text.charCodeAt(at)] !== 1) return at + 1
  let from = at
  while (from > least && IN_WORD[text.charCodeAt(from - 1)] === 1) from--
  return from
}

function wordEnd(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && IN_WORD[text.charCodeAt(end)] === 1) end++
  return end
}

/** The first three characters as one number. */
function keyOf(text: string, at: number): number {
  return (text.charCodeAt(at) << 14) ^ (text.charCodeAt(at + 1) << 7) ^ text.charCodeAt(at + 2)
}
