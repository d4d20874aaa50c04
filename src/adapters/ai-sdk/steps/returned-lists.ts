import type { ModelMessage } from 'ai'
import { requestOf } from '../../../engine/context/view/request.ts'
import { requestWithoutRecall, withoutPromises } from '../../../engine/context/view/without-recall.ts'
import { beginsWith } from '../../../fit/open-contexts.ts'
import { unwrapForeign } from '../../../formats/ai-sdk/foreign-parts.ts'
import { RecentMap } from '../../../model/values/recent-map.ts'
import type { View } from '../../../model/view.ts'
import type { FittedConversation } from '../context/conversation-keeper.ts'
import { type KnownConversation, keysBehind } from '../context/conversations.ts'
import type { SaidSoFar, StepOptions } from './step-messages.ts'

/** A list that was given back: the messages it was made of, and how it was written if something was done to them. */
export type ReturnedList = {
  readonly messages: readonly ModelMessage[]
  readonly said: readonly ModelMessage[]
  /** They are all that was said in the run, and not what the caller made of it. */
  readonly isAll: boolean
  /** All that was said in the run up to its last step. */
  readonly run: SaidSoFar
  readonly known: KnownConversation
  readonly sent: ViewMessages | undefined
}

/** A changed list. `key` names the whole of it. */
type ChangedList = ReturnedList & { readonly key: string }

/**
 * The last list of each run, for its next step and for the tools that it calls. A run is known by its list of steps: runs
 * that begin with one list of messages share that list.
 */
export class ReturnedLists {
  readonly #ofRun = new WeakMap<StepOptions['steps'], ReturnedList | ChangedList>()
  /** A caller may begin its next run with a list that it was given. */
  readonly #byFirst = new WeakMap<ModelMessage, ReturnedList>()
  /** Changed lists by their key. Only their runs keep them in memory: each holds a whole conversation. */
  readonly #changed: RecentMap<string, readonly WeakRef<ChangedList>[]>

  constructor(most = 256) {
    this.#changed = new RecentMap(most)
  }

  /** The list that the messages of a step probably go on from. */
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
    if ('key' in now)
      this.#changed.set(
        now.key,
        [...this.#live(now.key), now].map((each) => new WeakRef(each)),
      )
  }

  /**
   * The conversation of the changed list that these messages begin with. Callers copy messages or mark them for a cache, so
   * it is known by what it says. Two lists may say the same and stand for different words: then only the very objects decide.
   */
  conversationOf(messages: readonly ModelMessage[]): KnownConversation | undefined {
    const key = keysBehind('', messages).findLast((prefix) => this.#changed.has(prefix))
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
    else
      this.#changed.set(
        list.key,
        others.map((other) => new WeakRef(other)),
      )
  }
}

function keyAfter(last: ReturnedList | ChangedList | undefined, messages: readonly ModelMessage[]): string {
  const goesOn = last !== undefined && 'key' in last && beginsWith(messages, last.messages)
  const before = goesOn ? last.key : ''
  return keysBehind(before, goesOn ? messages.slice(last.messages.length) : messages).at(-1) ?? before
}

/** The messages that stand for a view, and the blocks behind the instructions. */
type ViewMessages = {
  readonly messages: readonly ModelMessage[]
  readonly system: readonly string[]
  readonly recalls: boolean
  readonly items: View['items']
}

/** Writes a view for sending. Where it goes on from the one of the step before, only what is new is written. */
export function sentList(
  { view, known }: FittedConversation,
  recalls: boolean,
  before: ViewMessages | undefined,
): ViewMessages {
  const { items } = view
  const fresh = before?.recalls === recalls ? items.behind(before.items) : undefined
  if (before !== undefined && fresh?.every(({ message }) => message.role !== 'system')) {
    const said = fresh.map(({ message }) => message)
    const messages = (recalls ? said : withoutPromises(said, known.messages)).map(unwrapForeign)
    return { ...before, items, messages: before.messages.concat(messages) }
  }
  const request = requestOf(view)
  const { system, messages } = recalls ? request : requestWithoutRecall(request, known.messages)
  return { messages: messages.map(unwrapForeign), system, recalls, items }
}
