import { eachInList, type List, listEnds } from './segment.ts'

/** Some terms in order, one on each line, as a database gives them back. */
export type BlockTerms = { readonly first: string; readonly terms: string }

/** The terms of a segment, and how to get the lists of some of its blocks. */
export type StoredTable = {
  readonly segment: number
  readonly table: TermTable
  open(blocks: readonly number[]): Promise<void>
}

/** A term of a table: its block, and where in the text of the block it begins. */
export type TermPlace = { readonly block: number; readonly at: number; readonly term: string }

/** About how long a term is, and which letters it has, of all terms of a segment in order. */
export type Shapes = { readonly lengths: Uint8Array; readonly letters: Int32Array }

/** The letters of a word, and how many others a term may have or lack. */
export type WantedShape = { readonly letters: number; readonly most: number }

const LINE_END = 10

/** All terms of a segment in memory, and the lists of those blocks that were opened. */
export class TermTable {
  readonly blocks: readonly BlockTerms[]
  readonly #open: (OpenBlock | undefined)[] = []
  #shapes: Shapes | undefined
  /** About the memory that it takes. */
  bytes = 0

  constructor(blocks: readonly BlockTerms[]) {
    this.blocks = blocks
    for (const { terms } of blocks) this.bytes += terms.length
  }

  /** The block that has a term, if the segment has it. */
  blockOf(term: string): number | undefined {
    let [from, upTo] = [0, this.blocks.length]
    while (from < upTo) {
      const middle = (from + upTo) >> 1
      if ((this.blocks[middle]?.first ?? '') <= term) from = middle + 1
      else upTo = middle
    }
    return from === 0 ? undefined : from - 1
  }

  isOpen(block: number): boolean {
    return this.#open[block] !== undefined
  }

  /** Adds the lists of a block, so that `eachDoc` can read them. */
  open(block: number, lists: Uint8Array): void {
    const starts = startsOf(this.blocks[block]?.terms ?? '')
    this.#open[block] = { starts, ends: listEnds(lists, starts.length), lists }
    this.bytes += lists.length + 2 * starts.byteLength
  }

  /** The place of a term in a block that is open; undefined if it is not there. */
  find(block: number, term: string): TermPlace | undefined {
    const { terms = '' } = this.blocks[block] ?? {}
    for (const at of this.#open[block]?.starts ?? [])
      if (terms.startsWith(term, at) && isEnd(terms, at + term.length)) return { block, at, term }
    return undefined
  }

  /** Calls back with each document of a term whose block is open, and its weight there. */
  eachDoc({ block, at }: TermPlace, use: (doc: number, weight: number) => void): void {
    const open = this.#open[block]
    // If the segment was replaced meanwhile, the search begins again.
    if (open !== undefined) eachInList(open.lists, open.ends, placeOf(open.starts, at), use)
  }

  list(place: TermPlace): List {
    const [docs, weights]: [number[], number[]] = [[], []]
    this.eachDoc(place, (doc, weight) => {
      docs.push(doc)
      weights.push(weight)
    })
    return { docs: Uint32Array.from(docs), weights: Uint8Array.from(weights) }
  }

  /** The blocks with a term that contains a pattern. */
  blocksWith(pattern: RegExp): number[] {
    return this.blocks.flatMap(({ terms }, block) => (terms.search(pattern) === -1 ? [] : [block]))
  }

  /** The terms of a block that contain a global pattern. The block is not split: that would take most of the time. */
  *termsWith(pattern: RegExp, block: number): Generator<TermPlace> {
    const { terms = '' } = this.blocks[block] ?? {}
    let end = 0
    for (const { index } of terms.matchAll(pattern)) {
      if (index < end) continue
      const at = terms.lastIndexOf('\n', index) + 1
      end = endOf(terms, index)
      yield { block, at, term: terms.slice(at, end) }
    }
  }

  /** The terms of the shapes that are looked for, by their length. */
  ofShape(wanted: readonly (readonly WantedShape[])[]): TermPlace[] {
    const { lengths, letters } = this.shapes()
    const found: TermPlace[] = []
    let place = 0
    for (const [block, { terms }] of this.blocks.entries()) {
      for (let at = 0; at <= terms.length; place++) {
        const length = lengths[place] as number
        const end = length < LONGEST ? at + length : endOf(terms, at)
        const shapes = wanted[length]
        if (shapes !== undefined && isOfShape(letters[place] as number, shapes))
          found.push({ block, at, term: terms.slice(at, end) })
        at = end + 1
      }
    }
    return found
  }

  /** Made when they are first needed. */
  shapes(): Shapes {
    if (this.#shapes !== undefined) return this.#shapes
    this.#shapes = shapesOf(this.blocks)
    this.bytes += this.#shapes.lengths.byteLength + this.#shapes.letters.byteLength
    return this.#shapes
  }
}

/** The lists of those terms that a segment has. */
export async function tableLists({ table, open }: StoredTable, terms: readonly string[]): Promise<Map<string, List>> {
  const wanted = terms.flatMap((term) => {
    const block = table.blockOf(term)
    return block === undefined ? [] : [{ term, block }]
  })
  await open(wanted.map(({ block }) => block))
  const lists = new Map<string, List>()
  for (const { term, block } of wanted) {
    const place = table.find(block, term)
    if (place !== undefined) lists.set(term, table.list(place))
  }
  return lists
}

type OpenBlock = { readonly starts: Uint32Array; readonly ends: Uint32Array; readonly lists: Uint8Array }

function isEnd(terms: string, at: number): boolean {
  return at === terms.length || terms.charCodeAt(at) === LINE_END
}

function endOf(terms: string, from: number): number {
  const end = terms.indexOf('\n', from)
  return end === -1 ? terms.length : end
}

function startsOf(terms: string): Uint32Array {
  const starts = [0]
  for (let end = terms.indexOf('\n'); end !== -1; end = terms.indexOf('\n', end + 1)) starts.push(end + 1)
  return Uint32Array.from(starts)
}

function placeOf(starts: Uint32Array, at: number): number {
  let [from, upTo] = [0, starts.length - 1]
  while (from < upTo) {
    const middle = (from + upTo) >> 1
    if ((starts[middle] as number) < at) from = middle + 1
    else upTo = middle
  }
  return from
}

/** A longer term has this length. */
const LONGEST = 255

function shapesOf(blocks: readonly BlockTerms[]): Shapes {
  let all = 0
  for (const { terms } of blocks) all += startsOf(terms).length
  const [lengths, letters] = [new Uint8Array(all), new Int32Array(all)]
  let count = 0
  for (const { terms } of blocks) {
    let [from, bits] = [0, 0]
    for (let i = 0; i <= terms.length; i++) {
      const code = i === terms.length ? LINE_END : terms.charCodeAt(i)
      if (code !== LINE_END) {
        bits |= letterBit(code)
        continue
      }
      lengths[count] = Math.min(LONGEST, i - from)
      letters[count++] = bits
      from = i + 1
      bits = 0
    }
  }
  return { lengths, letters }
}

/** A bit for each letter that a word has. */
export function lettersOf(word: string): number {
  let bits = 0
  for (let i = 0; i < word.length; i++) bits |= letterBit(word.charCodeAt(i))
  return bits
}

function isOfShape(letters: number, shapes: readonly WantedShape[]): boolean {
  for (let i = 0; i < shapes.length; i++) {
    const shape = shapes[i] as WantedShape
    if (bitsIn(shape.letters ^ letters) <= shape.most) return true
  }
  return false
}

/** How many bits a number has: pairs are added up, then groups of four, of eight, and all. */
function bitsIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function letterBit(code: number): number {
  return 1 << (code % 32)
}
