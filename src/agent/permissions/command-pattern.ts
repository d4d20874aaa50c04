import { shellTokens, type Word } from '../../engine/extract/shell/shell-lexer.ts'

/**
 * Whether a pattern allows a command. Only a plain command can be allowed: one name with its arguments, in which the shell
 * does nothing but remove quotes. `*` as a word matches any arguments; inside a word, it matches any characters.
 */
export function allowsCommand(pattern: string, command: string): boolean {
  const allowed = plainWords(pattern)
  const words = plainWords(command)
  if (allowed === undefined || words === undefined || words.some(({ open }) => open)) return false
  // A pattern whose command is a wildcard would allow every command.
  if (allowed[0]?.open !== false) return false
  return matchesWords(allowed, words)
}

/** True when the words of a pattern match those of a command. A quoted `*` matches only itself. */
function matchesWords(pattern: readonly Word[], words: readonly Word[]): boolean {
  return matchesSequence(pattern, words, {
    isAny: ({ text, open }) => open && text === '*',
    isSame: ({ text, open }, word) => (open ? matchesWildcard(text, word.text) : text === word.text),
  })
}

/** The words of a plain command; undefined for one that is compound, redirected, expanded or not closed. */
export function plainWords(command: string): readonly Word[] | undefined {
  // The lookbehind makes the search start only once for each run of blanks. From each blank, it would take seconds.
  const text = command.replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '')
  if (text === '' || !PLAIN.test(text)) return undefined
  const tokens = shellTokens(text)
  return tokens.every((token) => token.type === 'word') ? tokens : undefined
}

/**
 * A plain command line: no special characters of the shell outside of quotes, no expansions inside double quotes, and every
 * quote closed. The lexer alone is not strict enough, because it finds facts in any text.
 */
const PLAIN =
  /^(?:[^'"\\$`;&|()<>#\0-\u0008\n-\u001f\u007f]|'[^'\0-\u0008\n-\u001f\u007f]*'|"[^"\\$`\0-\u0008\n-\u001f\u007f]*")*$/

/** Whether a text matches a pattern in which `*` matches any characters. */
export function matchesWildcard(pattern: string, text: string): boolean {
  return matchesSequence([...pattern], [...text], {
    isAny: (sign) => sign === '*',
    isSame: (sign, character) => sign === character,
  })
}

/** Whether items match a pattern in which some parts match any number of items. It takes at most pattern times items steps. */
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
      // The last part that matches anything takes one item more.
      at = any + 1
      i = ++restart
    } else return false
  }
  return pattern.slice(at).every(isAny)
}
