import { contentText } from '../../fit/state/content-key.ts'
import type { Message } from '../../model/types.ts'

/**
 * The conversation of a caller that does not name one. There is only one while each list of messages continues the list before
 * it. Any other list begins a second conversation, and from then on we cannot know which one is meant.
 */
export class OnlyConversation<T> {
  #last: { readonly messages: readonly Message[]; readonly value: T; readonly run: object } | undefined
  #isSeveral = false

  /** True after lists of more than one conversation. */
  get isSeveral(): boolean {
    return this.#isSeveral
  }

  /** The last value of the only conversation; undefined before the first list, and when there are several. */
  get value(): T | undefined {
    return this.#last?.value
  }

  /** Notes the value of a list. `run` is an object that identifies the run of the list. */
  note(messages: readonly Message[], value: T, run: object = {}): void {
    if (this.#last !== undefined && this.#last.run !== run && !continues(messages, this.#last.messages))
      this.#isSeveral = true
    this.#last = this.#isSeveral ? undefined : { messages, value, run }
  }
}

/** An equal list does not continue the other one: a second conversation may have begun with the same words. */
function continues(messages: readonly Message[], before: readonly Message[]): boolean {
  return (
    messages.length > before.length &&
    before.every((message, i) => {
      const now = messages[i]
      return now === message || (now !== undefined && contentText(now) === contentText(message))
    })
  )
}
