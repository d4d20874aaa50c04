import { isFound } from './find-name.ts'
import { type MissingFact, missingFacts, type SummaryFacts } from './missing-facts.ts'
import { type Name, namesOf, type SourceIndex, sourceIndex, type WrittenName } from './source-index.ts'

export type { MissingFact, SummaryFacts } from './missing-facts.ts'
export type { Name } from './source-index.ts'

/**
 * The source that a summary is checked against. `texts`: everything that the summariser was given or the log has (messages,
 * tool names, arguments as JSON, outputs, an earlier summary), or a function that returns it when it is needed.
 * `facts`: the facts of the index that the summary must mention.
 */
export type VerifySource = {
  readonly texts: readonly string[] | (() => readonly string[])
  readonly facts?: SummaryFacts
}

/** `invented`: named, but not in the source; `missing`: in the index, not mentioned; `checked`: names looked up. */
export type Verification = {
  readonly invented: readonly Name[]
  readonly missing: readonly MissingFact[]
  readonly checked: number
}

/** Checks a summary against its source: which names it invents and which facts it leaves out. Never throws. */
export function verify(summary: string, source: VerifySource): Verification {
  const facts = source.facts ?? {}
  const names = namesOf(summary)
  const index = sourceIndex(names.length === 0 ? [] : textsOf(source))
  const missing = missingFacts(summary, names, facts)
  return { invented: inventedNames(names, index), missing, checked: names.length }
}

/** The names that the source does not have. */
export function inventedNames(names: readonly WrittenName[], index: SourceIndex): Name[] {
  return withoutMembers(names.filter((name) => !isFound(name, index)).map(({ kind, text }) => ({ kind, text })))
}

function textsOf({ texts, facts = {} }: VerifySource): string[] {
  const given = typeof texts === 'function' ? texts() : texts
  return [...given, ...Object.values(facts).flatMap((more) => more ?? [])]
}

/** An invented `cache` is reported once, without its `cache.get` and `cache.set`. */
function withoutMembers(names: readonly Name[]): Name[] {
  const texts = new Set(names.map((name) => name.text))
  return names.filter(({ kind, text }) => {
    const owner = text.slice(0, text.indexOf('.'))
    return kind !== 'identifier' || !text.includes('.') || !texts.has(owner)
  })
}
