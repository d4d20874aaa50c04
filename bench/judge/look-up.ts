import { recallAnswer, recallFrom } from '../../src/adapters/shared/recall.ts'
import type { Entry } from '../../src/engine.ts'

/** Answers a wish as `recall` does. A wish is a handle such as `#12` or `#12-#15`, or a text to search for. */
export type LookUp = (wish: string) => Promise<string>

/** Looks things up in a log like an agent with the tool `recall`. */
export function lookUpIn(log: readonly Entry[]): LookUp {
  const entries = log.filter((entry) => entry.type === 'message')
  const source = recallFrom({ messages: entries.map(({ message }) => message), seqs: entries.map(({ seq }) => seq) })
  return (wish) => recallAnswer(source, HANDLES.test(wish) ? { handles: wish } : { search: wish })
}

const HANDLES = /^#\d[\d\s,#-]*$/
