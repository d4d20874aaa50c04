import { shellTokens, type Word } from '../../engine/extract/shell/shell-lexer.ts'

/**
 * Whether a command is what a pattern allows. Only a plain command can be: one name with its arguments, in which the
 * shell does nothing but take quotes away. `*` as a word stands for any arguments, inside a word for any characters of it.
 */
export function allowsCommand(pattern: string, command: string): boolean {
  const allowed = plainWords(pattern)
  const words = plainWords(command)
  if (allowed === undefined || words === undefined || words.some(({ open }) => open)) return false
  // A pattern whose command is a wildcard would allow every command.
  if (allowed[0]?.open !== false) return false
  return matchesWords(allowed, words)
}

/** True when a pattern's words are those of a command; a quoted `*` is only itself. */
function matchesWords(pattern: readonly Word[], words: readonly Word[]): boolean {
  return matchesSequence(pattern, words, {
    isAny: ({ text, open }) => open && text === '*',
    isSame: ({ text, open }, word) => (open ? matchesWildcard(text, word.text) : text === word.text),
  })
}

/** The words of a plain command; undefined for one that is compound, redirected, expanded or not closed. */
export function plainWords(command: string): readonly Word[] | undefined {
  // The end of a blank is looked for from its start only: from each of its characters would take seconds.
  const text = command.replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '')
  if (text === '' || !PLAIN.test(text)) return undefined
  const tokens = shellTokens(text)
  return tokens.every((token) => token.type === 'word') ? tokens : undefined
}

/**
 * Not by the lexer alone, whose business is to find facts in any text: outside of quotes no character with which a
 * shell begins something else, inside double quotes none that it expands, and every quote closed.
 */
const PLAIN =
  /^(?:[^'"\\$`;&|()<>#\0-\u0008\n-\u001f\u007f]|'[^'\0-\u0008\n-\u001f\u007f]*'|"[^"\\$`\0-\u0008\n-\u001f\u007f]*")*$/

/** Whether a text matches a pattern in which `*` stands for any characters. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesSequence([...pattern], [...text], {
    isAny: (sign) => sign === '*',
    isSame: (sign, character) => sign === character,
  })
}

/** Whether items match a pattern some of whose parts stand for any number of items. Takes no more than pattern times items. */
export function matchesSequence<P, I>(
  pattern: readonly P[],
  items: readonly I[],
  { isAny, isSame }: { readonly isAny: (part: P) => boolean; readonly isSame: (part: P, item: I) => boolean },
): boolean {
  let at = 0
  let any = -1
  let restart = 0
  for (let i = 0; i < items.length; ) {
    const part = pattern[at]
    if (at < pattern.length && isAny(part as P)) {
      any = at++
      restart = i
    } else if (at < pattern.length && isSame(part as P, items[i] as I)) {
      at++
      i++
    } else if (any !== -1) {
      // The last one that stands for anything takes one item more.
      at = any + 1
      i = ++restart
    } else return false
  }
  return pattern.slice(at).every(isAny)
}
