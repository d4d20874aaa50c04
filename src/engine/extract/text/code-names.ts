/** The names as in code in a text, each once. */
export function codeNamesIn(text: string): string[] {
  return [...new Set(codeWordsIn(text))].filter(isDistinctive)
}

/** True for a word that is not from a natural language: a capital inside, an underscore, a digit after a letter, two hyphens, a dot. */
function isDistinctive(word: string): boolean {
  return /[a-z][A-Z]|[A-Za-z]_[A-Za-z]|[a-z]\d|\w-\w+-\w|\w\.[A-Za-z]/.test(word) && !isOpaque(word)
}

/** True for a hash, a key, or a piece of base64: people do not give such names. */
function isOpaque(word: string): boolean {
  if (HASH.test(word)) return true
  const runs = word.length < SHORTEST_KEY ? [] : (word.match(RUN) ?? [])
  return runs.length > word.length / LETTERS_PER_RUN
}

const HASH = /^[0-9a-f-]+$/
const RUN = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g
const SHORTEST_KEY = 12
const LETTERS_PER_RUN = 2.4

/**
 * The words of a text that may be names as in code: a word with its members, or the name of a file. A word before a slash is a
 * folder, a word with a hyphen may be one, and part of a longer word does not count. Words that look like ordinary language are
 * left out. This is one loop, because a pattern would create a string for every word of a text, and most of them are not names.
 */
export function codeWordsIn(text: string): string[] {
  const kinds = KINDS
  const words: string[] = []
  const end = text.length
  for (let at = 0; at < end; ) {
    const first = kinds[text.charCodeAt(at)] ?? 0
    const start = at++
    if (first === 0) continue
    let rest = 0
    for (; at < end; at++) {
      const kind = kinds[text.charCodeAt(at)] ?? 0
      if (kind === 0) break
      rest |= kind
    }
    // A plain word without members.
    if (rest <= LETTER && (at === end || text.charCodeAt(at) !== DOT)) continue
    const length = at - start
    if (length < SHORTEST || length > LONGEST || first === HYPHEN || isPartOfLonger(text, start)) continue
    const wordEnd = at
    for (let members = 0; members < MOST_MEMBERS; members++) at = memberEnd(text, at)
    if (rest > LETTER || at > wordEnd) words.push(text.slice(start, at))
  }
  return words
}

const SHORTEST = 3
const LONGEST = 80
const MOST_MEMBERS = 3
const LONGEST_MEMBER = 41

/** A word counts as a name if it has a kind greater than `LETTER`. It cannot begin with a hyphen. */
const LETTER = 1
const CAPITAL = 2
const DIGIT = 4
const UNDERSCORE = 8
const HYPHEN = 16

const [DOT, STAR, BACKSLASH] = [46, 42, 92]

function isPartOfLonger(text: string, start: number): boolean {
  if (start === 0) return false
  const before = text.charCodeAt(start - 1)
  return before === DOT || before === STAR || before === BACKSLASH
}

/** The end of the member at `place`, including its dot; `place` itself if there is none. */
function memberEnd(text: string, place: number): number {
  const end = text.length
  if (place + 1 >= end || text.charCodeAt(place) !== DOT) return place
  let at = place + 1
  if (((KINDS[text.charCodeAt(at)] ?? 0) & (LETTER | CAPITAL)) === 0) return place
  while (at < end && (KINDS[text.charCodeAt(at)] ?? 0) !== 0) at++
  return at - place - 1 > LONGEST_MEMBER ? place : at
}

/** Has an entry for every character code, so that no look-up needs a bounds check. */
const KINDS = new Uint8Array(0x10000)
for (let code = 0; code < 128; code++) KINDS[code] = kindOf(String.fromCharCode(code))

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return LETTER
  if (/[A-Z]/.test(character)) return CAPITAL
  if (/\d/.test(character)) return DIGIT
  if (character === '_') return UNDERSCORE
  return character === '-' ? HYPHEN : 0
}
