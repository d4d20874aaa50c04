import { recallAnswer, recallFrom } from '../../src/adapters/shared/recall.ts'
import type { Entry } from '../../src/engine.ts'

/** What `recall` answers to a wish: handles as `#12` or `#12-#15`, or a text to search for. */
export type LookUp = (wish: string) => Promise<string>

/** Looks up in a log what an agent with the tool `recall` would. */
export function lookUpIn(log: readonly Entry[]): LookUp {
  const said = log.filter((entry) => entry.type === 'message')
  const source = recallFrom({ messages: said.map(({ message }) => message), seqs: said.map(({ seq }) => seq) })
  return (wish) => recallAnswer(source, HANDLES.test(wish) ? { handles: wish } : { search: wish })
}

const HANDLES = /^#\d[\d\s,#-]*$/
