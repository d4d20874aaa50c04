import type { EntryOf } from '../../../model/entry.ts'
import type { Seq } from '../../../model/ids.ts'
import type { Message } from '../../../model/message/message.ts'
import { HandleNames } from './handle-names.ts'
import type { ItemList } from './item-list.ts'
import { maskMessage } from './rewrite-message.ts'

/** Masks the newest first, because the first handles get the most names. `isBack`: a message that came back later stays whole. */
export function maskAll(list: ItemList, entry: EntryOf<'mask'>, isBack: (seq: Seq) => boolean): void {
  const batch = new Batch(entry)
  for (const seq of entry.targets.toReversed()) {
    if (!isBack(seq)) list.rewrite(seq, (message) => batch.handleOf(message, seq))
  }
  remembered.set(entry, batch.made)
}

/** A message, and the handle that stands in its place. */
type Handle = { readonly seq: Seq; readonly message: Message; readonly handle: Message }

// The names of a mask are looked for once, not each time its log is folded. Only the last fold is remembered: a message
// that is made anew by each fold would be kept each time.
const remembered = new WeakMap<EntryOf<'mask'>, readonly Handle[]>()

/** The handles of one mask. A handle depends on those before it, so that one is known only if all before it are, too. */
class Batch {
  readonly made: Handle[] = []
  readonly #characters: number | undefined
  readonly #known: readonly Handle[]
  #isKnown = true
  #names: HandleNames | undefined

  constructor(entry: EntryOf<'mask'>) {
    this.#characters = entry.nameCharacters
    this.#known = remembered.get(entry) ?? []
  }

  handleOf(message: Message, seq: Seq): Message {
    const known = this.#isKnown ? this.#known[this.made.length] : undefined
    const handle = known?.message === message && known.seq === seq ? known.handle : this.#newHandle(message, seq)
    this.made.push({ seq, message, handle })
    return handle
  }

  #newHandle(message: Message, seq: Seq): Message {
    if (this.#isKnown) this.#tellAgain()
    return maskMessage(message, seq, this.#names)
  }

  /** What the known handles tell is not told again by the new ones. */
  #tellAgain(): void {
    this.#isKnown = false
    if (this.#characters === undefined) return
    this.#names = new HandleNames(this.#characters)
    for (const { message, seq } of this.made) maskMessage(message, seq, this.#names)
  }
}
