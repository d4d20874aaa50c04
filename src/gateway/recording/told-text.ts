/** A conversation that a client tells as one text, and what is said in it, each as far as it decides. */
export type ToldText = {
  readonly text: string
  /** What stands in it as the user's. */
  readonly asked: readonly string[]
  /** What anybody says in it. A text of megabytes is searched once and not for each message of many sessions. */
  readonly said: ReadonlySet<string>
}

/** Clients shorten results, so the beginning of what was said decides. */
export const TOLD_CHARACTERS = 200

export function readTold(text: string): ToldText {
  // What stands before the first label is no message; behind it labels and words take turns.
  const [, ...parts] = text.split(LABEL)
  const words = parts.map((part = '') => part.trim().slice(0, TOLD_CHARACTERS))
  return {
    text,
    asked: words.filter((_, i) => i % 2 === 1 && words[i - 1] === 'User'),
    said: new Set(words.filter((_, i) => i % 2 === 1)),
  }
}

/** How pi and opencode say who speaks, and where the conversation ends. */
const LABEL = /^(?:\[((?:User|Assistant|Tool)[^\]\n]*)\]: |<\/conversation>)/m
