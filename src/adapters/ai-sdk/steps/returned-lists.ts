import type { ModelMessage } from 'ai'
import { requestOf, requestWithoutRecall, withoutPromises } from '../../../engine/context/view/request.ts'
import { beginsWith } from '../../../fit/open-contexts.ts'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import type { View } from '../../../model/types.ts'
import { RecentMap } from '../../../model/values.ts'
import type { FittedConversation } from '../context/conversation-keeper.ts'
import { conversationKeys, type KnownConversation } from '../context/conversations.ts'
import type { RunSoFar, StepOptions } from './step-messages.ts'

/** A list that we returned: the messages it was made from and, if they were changed, the messages to send. */
export type ReturnedList = {
  readonly messages: readonly ModelMessage[]
  readonly said: readonly ModelMessage[]
  /** True if `said` has all messages of the run, as they were before any change by the caller. */
  readonly isAll: boolean
  /** All messages of the run up to its last step. */
  readonly run: RunSoFar
  readonly known: KnownConversation
  readonly sent: ViewMessages | undefined
}

/** A changed list. `key` is the hash of all its messages. */
type ChangedList = ReturnedList & { readonly key: string }

/**
 * The last list of each run, for its next step and for the tools that it calls. A run is identified by its list of steps,
 * because several runs may begin with the same list of messages.
 */
export class ReturnedLists {
  readonly #ofRun = new WeakMap<StepOptions['steps'], ReturnedList | ChangedList>()
  /** By the first message, because a caller may begin its next run with a list that we returned. */
  readonly #byFirst = new WeakMap<ModelMessage, ReturnedList>()
  /** Changed lists by their key. Each holds a whole conversation, so it is freed together with its run. */
  readonly #changed: RecentMap<string, readonly WeakRef<ChangedList>[]>

  constructor(most = 256) {
    this.#changed = new RecentMap(most)
  }

  /** The list that the messages of a step probably continue. */
  before({ steps, messages: [first] }: StepOptions): ReturnedList | undefined {
    return this.#ofRun.get(steps) ?? (first && this.#byFirst.get(first))
  }

  keep({ steps }: StepOptions, list: ReturnedList): void {
    const last = this.#ofRun.get(steps)
    if (last !== undefined && 'key' in last) this.#forget(last)
    const now = list.sent === undefined ? list : { ...list, key: keyAfter(last, list.messages) }
    this.#ofRun.set(steps, now)
    const [first] = list.messages
    if (first !== undefined) this.#byFirst.set(first, now)
    if ('key' in now) this.#store(now.key, [...this.#live(now.key), now])
  }

  /**
   * The conversation of the changed list that these messages begin with. Callers copy messages or mark them for a cache, so the
   * content decides. If two lists have the same content but come from different conversations, object identity decides.
   */
  conversationOf(messages: readonly ModelMessage[]): KnownConversation | undefined {
    const key = conversationKeys('', messages).findLast((prefix) => this.#changed.has(prefix))
    const lists = key === undefined ? [] : this.#live(key)
    const keys = new Set(lists.map(({ known }) => known.key))
    const list = keys.size > 1 ? lists.findLast((each) => beginsWith(messages, each.messages)) : lists.at(-1)
    return list?.known
  }

  #live(key: string): ChangedList[] {
    return (this.#changed.get(key) ?? []).flatMap((list) => list.deref() ?? [])
  }

  #forget(list: ChangedList): void {
    const others = this.#live(list.key).filter((other) => other !== list)
    if (others.length === 0) this.#changed.delete(list.key)
    else this.#store(list.key, others)
  }

  #store(key: string, lists: readonly ChangedList[]): void {
    const weak = lists.map((list) => new WeakRef(list))
    this.#changed.set(key, weak)
  }
}

function keyAfter(last: ReturnedList | ChangedList | undefined, messages: readonly ModelMessage[]): string {
  const continues = last !== undefined && 'key' in last && beginsWith(messages, last.messages)
  const before = continues ? last.key : ''
  return conversationKeys(before, continues ? messages.slice(last.messages.length) : messages).at(-1) ?? before
}

/** The messages of a view, and the blocks that follow the instructions. */
type ViewMessages = {
  readonly messages: readonly ModelMessage[]
  readonly system: readonly string[]
  readonly recalls: boolean
  readonly items: View['items']
}

/** The messages of a view, in the SDK's form. If the view continues the one of the step before, only its new messages are converted. */
export function sentList(
  { view, known }: FittedConversation,
  recalls: boolean,
  before: ViewMessages | undefined,
): ViewMessages {
  const { items } = view
  const fresh = before?.recalls === recalls ? items.behind(before.items) : undefined
  if (before !== undefined && fresh?.every(({ message }) => message.role !== 'system')) {
    const added = fresh.map(({ message }) => message)
    const messages = (recalls ? added : withoutPromises(added, known.messages)).map(unwrapForeign)
    return { ...before, items, messages: before.messages.concat(messages) }
  }
  const request = requestOf(view)
  const { system, messages } = recalls ? request : requestWithoutRecall(request, known.messages)
  return { messages: messages.map(unwrapForeign), system, recalls, items }
}
