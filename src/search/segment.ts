/**
 * A part of the index in the form in which a database keeps it: the documents, and blocks of terms with the documents that
 * have them. A segment never changes. Documents that are gone are listed beside it, until it is written again without them.
 */
export type Segment = {
  /** The ids of the sessions that its documents are in. */
  readonly sessions: readonly string[]
  readonly docs: Uint8Array
  readonly blocks: readonly TermBlock[]
}

/** Some terms in order, one on each line, and the list of documents of each. */
export type TermBlock = { readonly first: string; readonly terms: string; readonly lists: Uint8Array }

/** An entry as the index knows it. */
export type Doc = {
  readonly session: string
  readonly seq: number
  /** When it was appended, in seconds. */
  readonly at: number
  /** The sum of the weights of its terms. */
  readonly length: number
  readonly kind: number
}

/** A document with its terms and the weight of each. */
export type NewDoc = Doc & { readonly terms: ReadonlyMap<string, number> }

/** The documents of a segment, field by field. `session` is a place in `sessions`. */
export type Docs = {
  readonly count: number
  readonly session: Uint32Array
  readonly seq: Uint32Array
  readonly at: Float64Array
  readonly length: Uint32Array
  readonly kind: Uint8Array
}

/** The documents that have a term, in order, with its weight in each. */
export type List = { readonly docs: Uint32Array; readonly weights: Uint8Array }

const MOST_WEIGHT = 255

/** About the number of bytes of a block: a search reads one for each term. */
const BLOCK_BYTES = 4_096

/** The segment of these documents. */
export function segmentOf(docs: readonly NewDoc[]): Segment {
  const lists = new Map<string, number[]>()
  for (const [doc, { terms }] of docs.entries()) {
    for (const [term, weight] of terms) {
      const list = lists.get(term)
      if (list === undefined) lists.set(term, [doc, weight])
      else list.push(doc, weight)
    }
  }
  const sorted = [...lists.keys()].sort()
  const bytes = sorted.map((term) => listBytes(lists.get(term) ?? []))
  return { ...docsBytes(docs), blocks: [...blocksOf(sorted.map((term, i) => [term, bytes[i] ?? NONE]))] }
}

const NONE = new Uint8Array()

/** A segment that is merged: its documents, those that are gone, and its blocks in order. */
export type Source = Pick<Segment, 'sessions' | 'docs'> & {
  readonly gone: ReadonlySet<number>
  readonly blocks: readonly TermBlock[]
}

/**
 * One segment of several, without the documents that are gone. It takes long, so it is a generator: the caller may do other
 * work between two of its steps.
 */
export function* merged(sources: readonly Source[]): Generator<undefined, Segment> {
  const docs: Doc[] = []
  const places = sources.map(({ sessions, docs: bytes, gone }) => {
    const read = readDocs(bytes)
    return Array.from({ length: read.count }, (_, doc) => {
      if (gone.has(doc)) return undefined
      const session = sessions[read.session[doc] ?? 0] ?? ''
      const fields = { seq: read.seq[doc], at: read.at[doc], length: read.length[doc], kind: read.kind[doc] }
      return docs.push({ session, ...(fields as Omit<Doc, 'session'>) }) - 1
    })
  })
  const blocks: TermBlock[] = []
  for (const block of blocksOf(mergedLists(sources, places))) {
    blocks.push(block)
    yield
  }
  return { ...docsBytes(docs), blocks }
}

type Places = readonly (number | undefined)[]

/** The terms of all sources in order, each with its lists joined. */
function* mergedLists(sources: readonly Source[], places: readonly Places[]): Generator<readonly [string, Uint8Array]> {
  const readers = sources.map(({ blocks }) => termsOf(blocks))
  const heads = readers.map((reader) => reader.next())
  for (;;) {
    let term: string | undefined
    for (const { done, value } of heads) if (!done && (term === undefined || value.term < term)) term = value.term
    if (term === undefined) return
    const all: number[] = []
    for (const [i, { done, value }] of heads.entries()) {
      if (done || value.term !== term) continue
      const { docs, weights } = readList(value.list)
      for (const [at, doc] of docs.entries()) {
        const place = places[i]?.[doc]
        if (place !== undefined) all.push(place, weights[at] ?? 1)
      }
      heads[i] = (readers[i] as ReturnType<typeof termsOf>).next()
    }
    if (all.length > 0) yield [term, listBytes(all)]
  }
}

function* termsOf(
  blocks: readonly TermBlock[],
): Generator<{ readonly term: string; readonly list: Uint8Array }, undefined> {
  for (const { terms, lists } of blocks) {
    const reader = { bytes: lists, at: 0 }
    for (const term of terms.split('\n')) {
      const size = readNumber(reader)
      yield { term, list: lists.subarray(reader.at, reader.at + size) }
      reader.at += size
    }
  }
}

/** The lists of the terms of a block that are asked for. If there are none, the bytes are not even read. */
export function listsIn(block: TermBlock, isWanted: (term: string) => boolean): [string, List][] {
  const terms = block.terms.split('\n')
  const last = terms.findLastIndex(isWanted)
  if (last === -1) return []
  const found: [string, List][] = []
  const reader = { bytes: block.lists, at: 0 }
  for (let i = 0; i <= last; i++) {
    const size = readNumber(reader)
    const term = terms[i] ?? ''
    if (isWanted(term)) found.push([term, readList(reader.bytes.subarray(reader.at, reader.at + size))])
    reader.at += size
  }
  return found
}

/** Where the list of each term of a block ends. */
export function listEnds(lists: Uint8Array, count: number): Uint32Array {
  const ends = new Uint32Array(count)
  const reader = { bytes: lists, at: 0 }
  for (let i = 0; i < count; i++) {
    const size = readNumber(reader)
    reader.at += size
    ends[i] = reader.at
  }
  return ends
}

/** Calls back with each document of a list and its weight there: without arrays for each of very many short lists. */
export function eachInList(
  lists: Uint8Array,
  ends: Uint32Array,
  place: number,
  use: (doc: number, weight: number) => void,
): void {
  const reader = { bytes: lists, at: place === 0 ? 0 : (ends[place - 1] ?? 0) }
  readNumber(reader)
  eachDocIn(reader, ends[place] ?? 0, use)
}

/** A block without the documents that are gone: the same one if it has none of them, undefined if it has no others. */
export function blockWithout(block: TermBlock, gone: ReadonlySet<number>): TermBlock | undefined {
  let isSame = true
  const terms: [string, Uint8Array][] = []
  for (const { term, list } of termsOf([block])) {
    const { docs, weights } = readList(list)
    if (!docs.some((doc) => gone.has(doc))) {
      terms.push([term, list])
      continue
    }
    isSame = false
    const left = [...docs].flatMap((doc, i) => (gone.has(doc) ? [] : [doc, weights[i] ?? 1]))
    if (left.length > 0) terms.push([term, listBytes(left)])
  }
  return isSame ? block : blocksOf(terms).next().value
}

function* blocksOf(terms: Iterable<readonly [string, Uint8Array]>): Generator<TermBlock> {
  let names: string[] = []
  let lists: Uint8Array[] = []
  let bytes = 0
  const block = (): TermBlock => ({ first: names[0] ?? '', terms: names.join('\n'), lists: Buffer.concat(lists) })
  for (const [term, list] of terms) {
    names.push(term)
    lists.push(Uint8Array.from(numberBytes(list.length)), list)
    bytes += term.length + 1 + list.length
    if (bytes < BLOCK_BYTES) continue
    yield block()
    names = []
    lists = []
    bytes = 0
  }
  if (names.length > 0) yield block()
}

/** Pairs of a document and a weight as bytes. The weight 1 needs none: most have it. */
function listBytes(pairs: readonly number[]): Uint8Array {
  const bytes: number[] = []
  let last = -1
  for (let i = 0; i < pairs.length; i += 2) {
    const doc = pairs[i] ?? 0
    const weight = Math.min(MOST_WEIGHT, Math.max(1, pairs[i + 1] ?? 1))
    pushNumber(bytes, (doc - last - 1) * 2 + (weight === 1 ? 0 : 1))
    if (weight !== 1) bytes.push(weight)
    last = doc
  }
  return Uint8Array.from(bytes)
}

function readList(bytes: Uint8Array): List {
  const docs = new Uint32Array(bytes.length)
  const weights = new Uint8Array(bytes.length)
  let count = 0
  eachDocIn({ bytes, at: 0 }, bytes.length, (doc, weight) => {
    docs[count] = doc
    weights[count++] = weight
  })
  return { docs: docs.subarray(0, count), weights: weights.subarray(0, count) }
}

function eachDocIn(reader: NumberReader, end: number, use: (doc: number, weight: number) => void): void {
  let last = -1
  while (reader.at < end) {
    const step = readNumber(reader)
    last += 1 + Math.floor(step / 2)
    use(last, step % 2 === 0 ? 1 : (reader.bytes[reader.at++] ?? 1))
  }
}

function docsBytes(docs: readonly Doc[]): Pick<Segment, 'sessions' | 'docs'> {
  const sessions = new Map<string, number>()
  const bytes: number[] = []
  for (const { session, seq, at, length, kind } of docs) {
    const place = sessions.get(session) ?? sessions.size
    sessions.set(session, place)
    for (const number of [place, seq, at, length, kind]) pushNumber(bytes, number)
  }
  return { sessions: [...sessions.keys()], docs: Uint8Array.from(bytes) }
}

export function readDocs(bytes: Uint8Array): Docs {
  // Every field has at least a byte.
  const most = Math.floor(bytes.length / 5)
  const [session, seq, length] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)]
  const at = new Float64Array(most)
  const kind = new Uint8Array(most)
  const reader = { bytes, at: 0 }
  let count = 0
  for (; reader.at < bytes.length; count++) {
    session[count] = readNumber(reader)
    seq[count] = readNumber(reader)
    at[count] = readNumber(reader)
    length[count] = readNumber(reader)
    kind[count] = readNumber(reader)
  }
  return { count, session, seq, at, length, kind }
}

function numberBytes(value: number): number[] {
  const bytes: number[] = []
  pushNumber(bytes, value)
  return bytes
}

/** Seven bits in each byte, the lowest first; the eighth says that more follow. */
function pushNumber(bytes: number[], value: number): void {
  let rest = Math.max(0, Math.floor(value))
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}

type NumberReader = { readonly bytes: Uint8Array; at: number }

function readNumber(reader: NumberReader): number {
  let value = reader.bytes[reader.at++] ?? 0
  // Most numbers have one byte.
  if (value < 128) return value
  value -= 128
  for (let scale = 128; ; scale *= 128) {
    const byte = reader.bytes[reader.at++] ?? 0
    value += (byte % 128) * scale
    if (byte < 128) return value
  }
}
