import { counted } from './numbers.ts'

/** How many secrets were left out, and of which kinds; undefined when there were none. */
export function leftOutSecretsText(found: ReadonlyMap<string, number>): string | undefined {
  const all = [...found.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  return `${counted(all, 'secret')} left out (${[...found.keys()].join(', ')})`
}

/** What the user is told once when a message of theirs has a secret. */
export function typedSecretText(kinds: readonly string[], handle: string): string {
  const what = [...new Set(kinds)].join(', ')
  return `Your message has what looks like a secret (${what}). The model gets it; summaries, exports and sessions for other agents leave it out. /redact ${handle} takes it out of the log too`
}
