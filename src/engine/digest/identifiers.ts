import type { IdentifierFact } from '../../model/log-index.ts'

/** The names in a text that a later reader needs letter for letter: URLs, ports, versions, hashes, issue numbers. */
export function identifiersIn(text: string): Pick<IdentifierFact, 'kind' | 'text'>[] {
  const found = new Map<string, IdentifierFact['kind']>()
  // A pasted file is not what somebody named; its beginning may be.
  const head = text.slice(0, 20_000)
  for (const [kind, pattern] of PATTERNS) {
    for (const match of head.matchAll(pattern)) {
      const name = (match[1] ?? match[0]).replace(/[.,;:)\]}'"`>]+$/, '')
      if (!found.has(name)) found.set(name, kind)
    }
  }
  return [...found].map(([name, kind]) => ({ kind, text: name }))
}

const PATTERNS: readonly (readonly [IdentifierFact['kind'], RegExp])[] = [
  ['url', /\bhttps?:\/\/[^\s<>"'`\\|]{4,300}/g],
  ['port', /\b(?:port|localhost:|127\.0\.0\.1:)\s*(\d{2,5})\b/gi],
  ['version', /\bv?\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[\w.]{1,20})?\b/g],
  ['hash', /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g],
  ['issue', /(?<![\w&])#\d{1,6}\b|\b[A-Z]{2,10}-\d{1,6}\b/g],
]
