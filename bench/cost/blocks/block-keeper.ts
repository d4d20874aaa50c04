import type { ListRemover } from '../../../src/eval/probes/name-lists.ts'
import { Items } from '../../../src/model/items.ts'
import type { Item, Message, Usage } from '../../../src/model/types.ts'
import type { MeasuredLog } from '../../../src/study/replay/measured-log.ts'
import type { ReplayedRequest } from '../../../src/study/replay/request-meter.ts'
import type { Edit } from '../edits.ts'
import { type Reference, wordsOutsideListsOf } from '../references.ts'
import { type Block, blocksIn, placesOf } from './block.ts'
import { type Situation, situationAt } from './situation.ts'
import { type Use, usesIn } from './uses.ts'

/** Chooses the blocks that a compaction keeps. `uses` are all uses of the session: only an oracle looks at them. */
export type BlockChoice = {
  readonly mostLines: number
  /** Blocks are chosen again after masks, too. Only a record has a place for them, so only an oracle does this. */
  readonly afterMasks?: true
  choose(situation: Situation, uses: readonly Use[]): readonly Block[]
}

type SessionUses = {
  readonly references: ReadonlyMap<number, readonly Reference[]>
  readonly edits: ReadonlyMap<number, readonly Edit[]>
  readonly withoutLists: ListRemover
}

/**
 * Adds blocks to the records of a replay. They are chosen when a record is written, from all that is no longer in view, and
 * stay as they are until the next record. They are written to the cache with the first request after it, and read from it
 * like the rest of the context after that.
 */
export class BlockKeeper {
  readonly #measured: MeasuredLog
  readonly #choice: BlockChoice
  readonly #costOf: (usage: Usage) => number
  readonly #blocks: readonly Block[]
  readonly #uses: readonly Use[]
  readonly #places: ReadonlyMap<Message, number>
  readonly #withoutLists: ListRemover
  #kept: { readonly item: Item; readonly tokens: number } | undefined
  #cost = 0

  constructor(measured: MeasuredLog, choice: BlockChoice, uses: SessionUses, costOf: (usage: Usage) => number) {
    this.#measured = measured
    this.#choice = choice
    this.#costOf = costOf
    this.#blocks = knownBlocks(measured, choice.mostLines)
    this.#uses = usesIn(measured, uses.references, uses.edits)
    this.#places = placesOf(measured)
    this.#withoutLists = uses.withoutLists
  }

  /** The cost of the blocks so far. */
  get cost(): number {
    return this.#cost
  }

  /** The items of a request with the blocks that it has in addition. */
  request(request: ReplayedRequest, items: Items): Items {
    const { compacted, input, cacheRead } = request
    const call = compacted?.call
    // The summarising call reads the blocks of the record before.
    if (call !== undefined) this.#charge(call.inputTokens, call.cacheReadTokens ?? 0)
    if (call !== undefined || (compacted !== undefined && this.#choice.afterMasks)) {
      this.#kept = this.#keptAt(request, items)
    }
    this.#charge(input, compacted === undefined ? cacheRead : 0)
    return this.#kept === undefined ? items : Items.of([...items.slice(), this.#kept.item])
  }

  /** The same share of the blocks is cached as of the rest of a request. */
  #charge(inputTokens: number, cacheReadTokens: number): void {
    const tokens = this.#kept?.tokens ?? 0
    if (tokens === 0 || inputTokens === 0) return
    const read = Math.round((tokens * cacheReadTokens) / inputTokens)
    this.#cost += this.#costOf({
      inputTokens: tokens,
      outputTokens: 0,
      cacheReadTokens: read,
      cacheWriteTokens: tokens - read,
    })
  }

  #keptAt({ seq }: ReplayedRequest, items: Items): { item: Item; tokens: number } | undefined {
    const answer = this.#measured.messages.find((one) => one.seq === seq)
    if (answer === undefined) return undefined
    const situation = situationAt({
      said: this.#places.get(answer.message) ?? 0,
      messages: this.#measured.messages.filter((one) => one.seq < seq),
      blocks: this.#blocks.filter((block) => block.seq < seq),
      view: items.slice().map(({ message }) => message),
      shownWords: new Set(items.slice().flatMap((item) => [...wordsOutsideListsOf(item, this.#withoutLists)])),
      places: this.#places,
    })
    const blocks = this.#choice.choose(situation, this.#uses)
    if (blocks.length === 0) return undefined
    const text = blocks.map((block) => `${block.files[0] ?? block.kind} (#${block.seq})\n${block.text}`).join('\n\n')
    const message: Message = { role: 'user', content: text }
    return {
      item: { kind: 'message', seq: 0, place: 0, pinned: false, message } as Item,
      tokens: this.#measured.estimator.text(text),
    }
  }
}

const known = new WeakMap<MeasuredLog, Map<number, readonly Block[]>>()

/** The blocks of a session. Made once and kept, since every rule replays the same session. */
function knownBlocks(measured: MeasuredLog, mostLines: number): readonly Block[] {
  const bySize = known.get(measured) ?? new Map<number, readonly Block[]>()
  const blocks = bySize.get(mostLines) ?? blocksIn(measured, mostLines)
  known.set(measured, bySize.set(mostLines, blocks))
  return blocks
}
