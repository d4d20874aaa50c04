import { count, counted } from './numbers.ts'

/** Entries and files that a search did not look into, because they are not indexed yet. */
export type Unindexed = {
  /** Entries of our sessions. */
  readonly waiting?: number | undefined
  /** Session files of other agents. */
  readonly files?: number | undefined
}

/** How many entries match, as the subject and the verb of a sentence. `where` names the place. */
export function matchingText({ total, searched }: { total: number; searched: number }, where = ''): string {
  return `${counted(total, 'entry')} of ${count(searched)}${where} ${total === 1 ? 'matches' : 'match'}`
}

/** One line about it; none if everything was searched. */
export function unindexedText({ waiting = 0, files = 0 }: Unindexed): string[] {
  const parts = [
    ...(waiting === 0 ? [] : [counted(waiting, 'entry')]),
    ...(files === 0 ? [] : [counted(files, 'session file')]),
  ]
  if (parts.length === 0) return []
  const is = waiting + files === 1 ? 'is' : 'are'
  return [`${parts.join(' and ')} ${is} not indexed yet: search again in a minute to find more.`]
}
