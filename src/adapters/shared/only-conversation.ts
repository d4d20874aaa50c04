import { contentText } from '../../fit/state/content-key.ts'
import type { Message } from '../../model/message/message.ts'

/**
 * The conversation of a caller that names none: there is one while each list of messages continues the list before it. Other
 * lists are of another conversation, and from then on nobody can know which one is meant.
 */
export class OnlyConversation<T> {
  #last: { readonly messages: readonly Message[]; readonly value: T; readonly run: object } | undefined
  #isSeveral = false

  /** True after lists of more than one conversation. */
  get isSeveral(): boolean {
    return this.#isSeveral
  }

  /** What was last noted of the only conversation; undefined before the first list, and when there are several. */
  get value(): T | undefined {
    return this.#last?.value
  }

  /** Notes what is known of a list. `run` is an object that only lists of one run come with. */
  note(messages: readonly Message[], value: T, run: object = {}): void {
    if (this.#last !== undefined && this.#last.run !== run && !continues(messages, this.#last.messages))
      this.#isSeveral = true
    this.#last = this.#isSeveral ? undefined : { messages, value, run }
  }
}

/** A list that says the very same is not enough: another conversation may have begun with the same words. */
function continues(messages: readonly Message[], before: readonly Message[]): boolean {
  return (
    messages.length > before.length &&
    before.every((message, i) => {
      const now = messages[i]
      return now === message || (now !== undefined && contentText(now) === contentText(message))
    })
  )
}
