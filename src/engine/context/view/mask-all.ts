import type { EntryOf, Message, Seq } from '../../../model/types.ts'
import { HandleNames } from './handle-names.ts'
import type { ItemList } from './item-list.ts'
import { maskMessage } from './rewrite-message.ts'

/** A message, and the handle that replaces it. */
export type MaskHandle = { readonly seq: Seq; readonly message: Message; readonly handle: Message }

/**
 * Masks the newest first, because the first handles get the most names, and returns the handles. `isBack`: true for a message
 * that was put back later, which stays whole. `known`: the handles of an earlier fold, whose names need not be searched again.
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
  return batch.handles
}

/** The handles of one mask. A handle depends on those before it, so a known one can be reused only if all before it were. */
class Batch {
  readonly handles: MaskHandle[] = []
  readonly #characters: number | undefined
  readonly #known: readonly MaskHandle[]
  #isKnown = true
  #names: HandleNames | undefined

  constructor(entry: EntryOf<'mask'>, known: readonly MaskHandle[]) {
    this.#characters = entry.nameCharacters
    this.#known = known
  }

  handleOf(message: Message, seq: Seq): Message {
    const known = this.#isKnown ? this.#known[this.handles.length] : undefined
    const handle = known?.message === message && known.seq === seq ? known.handle : this.#newHandle(message, seq)
    this.handles.push({ seq, message, handle })
    return handle
  }

  #newHandle(message: Message, seq: Seq): Message {
    if (this.#isKnown) this.#collectNames()
    return maskMessage(message, seq, this.#names)
  }

  /** Collects the names in the handles so far, so that the new handles do not repeat them. */
  #collectNames(): void {
    this.#isKnown = false
    if (this.#characters === undefined) return
    this.#names = new HandleNames(this.#characters)
    for (const { message, seq } of this.handles) maskMessage(message, seq, this.#names)
  }
}
