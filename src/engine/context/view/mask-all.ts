import type { EntryOf } from '../../../model/entry.ts'
import type { Seq } from '../../../model/ids.ts'
import type { Message } from '../../../model/message/message.ts'
import { HandleNames } from './handle-names.ts'
import type { ItemList } from './item-list.ts'
import { maskMessage } from './rewrite-message.ts'

/** A message, and the handle that stands in its place. */
export type MaskHandle = { readonly seq: Seq; readonly message: Message; readonly handle: Message }

/**
 * Masks the newest first, because the first handles get the most names, and answers with the handles. `isBack`: a message that
 * came back later stays whole. `known`: the handles of an earlier fold, whose names need not be looked for again.
 */
export function maskAll(
  list: ItemList,
  entry: EntryOf<'mask'>,
  isBack: (seq: Seq) => boolean,
  known: readonly MaskHandle[] = [],
): readonly MaskHandle[] {
  const batch = new Batch(entry, known)
  for (const seq of entry.targets.toReversed()) {
    if (!isBack(seq)) list.rewrite(seq, (message) => batch.handleOf(message, seq))
  }
  return batch.made
}

/** The handles of one mask. A handle depends on those before it, so that one is known only if all before it are, too. */
class Batch {
  readonly made: MaskHandle[] = []
  readonly #characters: number | undefined
  readonly #known: readonly MaskHandle[]
  #isKnown = true
  #names: HandleNames | undefined

  constructor(entry: EntryOf<'mask'>, known: readonly MaskHandle[]) {
    this.#characters = entry.nameCharacters
    this.#known = known
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
