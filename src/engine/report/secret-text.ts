import { counted } from './numbers.ts'

/** The number of secrets that were left out, and their kinds; undefined if there were none. */
export function leftOutSecretsText(found: ReadonlyMap<string, number>): string | undefined {
  const all = [...found.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  return `${counted(all, 'secret')} left out (${[...found.keys()].join(', ')})`
}

/** The notice for the user, shown once, that their message has a secret. */
export function typedSecretText(kinds: readonly string[], handle: string): string {
  const what = [...new Set(kinds)].join(', ')
  return `Your message seems to contain a secret (${what}). The model gets it; summaries, exports and sessions for other agents leave it out. /redact ${handle} removes it from the log, too`
}
