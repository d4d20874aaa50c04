/** Names that are right to the letter or wrong. */
export type ExactKind = 'url' | 'version' | 'hash' | 'identifier'

/** The names of a kind in a text, each once. */
export function exactNames(kind: ExactKind, text: string): string[] {
  const found = [...text.matchAll(PATTERNS[kind])].map((match) =>
    (match[1] ?? match[0]).replace(/[.,;:)\]}'"`>*]+$/, ''),
  )
  return [...new Set(found)].filter((name) => name.length >= LEAST[kind])
}

const LEAST: Readonly<Record<ExactKind, number>> = { url: 12, version: 5, hash: 7, identifier: 5 }

const PATTERNS: Readonly<Record<ExactKind, RegExp>> = {
  url: /\bhttps?:\/\/[^\s<>"'`\\|)\]]{4,200}/g,
  version: /(?<![\w.])v?\d{1,3}\.\d{1,4}\.\d{1,5}(?:-[\w.]{1,20})?(?!\w|\.\d)/g,
  hash: /(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])/g,
  // camelCase, PascalCase, snake_case and CONSTANT_CASE, as in code.
  identifier:
    /(?<![\w/.@-])(?:[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Za-z]+(?:_[A-Za-z0-9]+)+)(?![\w/-]|\.\w)/g,
}
