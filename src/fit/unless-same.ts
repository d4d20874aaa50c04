import type { Message } from '../model/types.ts'

/** The messages, unless they are the very ones that were passed in. */
export function unlessSame(messages: readonly Message[], given: readonly Message[]): readonly Message[] | undefined {
  const isSame = messages.length === given.length && messages.every((message, i) => message === given[i])
  return isSame ? undefined : messages
}
