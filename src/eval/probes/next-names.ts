import type { Message } from '../../model/types.ts'
import { allNamesIn, stringsOf } from '../truth/needed.ts'
import { toolSteps } from '../truth/steps.ts'

const NEXT_CALLS = 15

/** The names in the next 15 calls that something before had shown. */
export function nextNames(after: readonly Message[], source: string): string[] {
  const next = toolSteps(after).slice(0, NEXT_CALLS)
  const names = next.flatMap(({ input }) => allNamesIn(stringsOf(input).join('\n')))
  return [...new Set(names)].filter((name) => source.includes(name))
}
