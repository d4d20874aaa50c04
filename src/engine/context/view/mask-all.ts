import type { EntryOf, Message, Seq, ToolResultPart } from '../../../model/types.ts'
import { mayBePrinted } from '../../extract/result-facts.ts'
import { codeNamesIn } from '../../extract/text/code-names.ts'
import { factLinesIn } from '../../extract/text/fact-lines.ts'
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
  readonly #entry: EntryOf<'mask'>
  readonly #known: readonly MaskHandle[]
  #isKnown = true
  #names: HandleNames | undefined

  constructor(entry: EntryOf<'mask'>, known: readonly MaskHandle[]) {
    this.#entry = entry
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
    if (this.#entry.nameCharacters === undefined) return
    this.#names = new HandleNames(this.#entry.nameCharacters, this.#entry.lineCharacters)
    for (const { message, seq } of this.handles) maskMessage(message, seq, this.#names)
  }
}

/** A handle is a few lines at most, and much shorter than the text that it replaces. */
const HANDLE_CHARACTERS = 800
const HANDLE_SHARE = 0.1
/** The line is full long before this, so a log of megabytes is not read to its end. */
const READ_CHARACTERS = 60_000

/**
 * Chooses the names that the handles of one batch list, so that the agent knows what it can recall, and the lines that they
 * quote. Each name is listed once, up to a total number of characters. The first text gets the most, so begin with the newest.
 */
export class HandleNames {
  readonly #used = new Set<string>()
  #left: number
  #linesLeft: number

  constructor(characters: number, lineCharacters = 0) {
    this.#left = characters
    this.#linesLeft = lineCharacters
  }

  /** The names for the handle of this text. */
  of(text: string): string[] {
    const names: string[] = []
    let room = Math.min(this.#left, HANDLE_CHARACTERS, text.length * HANDLE_SHARE)
    if (room <= 0) return names
    for (const name of codeNamesIn(text.slice(0, READ_CHARACTERS))) {
      if (this.#used.has(name)) continue
      room -= name.length + 1
      if (room < 0) break
      this.#left -= name.length + 1
      this.#used.add(name)
      names.push(name)
    }
    return names
  }

  /** The lines for the handle of this result. */
  linesOf(text: string, { toolName }: ToolResultPart): string[] {
    let room = Math.min(this.#linesLeft, text.length * HANDLE_SHARE)
    if (room <= 0 || !mayBePrinted(toolName)) return []
    return factLinesIn(text).filter((line) => {
      const fits = line.length + 3 <= room
      if (fits) room -= line.length + 3
      if (fits) this.#linesLeft -= line.length + 3
      return fits
    })
  }
}
