import { nextMerge } from '../../search/next-merge.ts'
import { merged, type Segment } from '../../search/segment.ts'
import { type Database, inLightTransaction, inSnapshot } from './database.ts'
import { deleteSegments, insertSegment, lastGone, readSources, segmentSizes, segmentsToClean } from './index-rows.ts'

/** How long a part of the work takes at most, so that other work can run in between. */
export const SLICE_MS = 10

type Running = {
  readonly ids: readonly number[]
  readonly owner: string
  readonly steps: Generator<undefined, Segment>
  /** The last mark of an entry that is gone when the segments were read. */
  readonly gone: number
}

/** Replaces segments of an index, a part of the work at a time. If another process was faster, the work is dropped. */
export class SegmentMerge {
  readonly #database: Database
  #running: Running | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Replaces a segment that has words of entries that are gone. False when there is none. */
  clean(): boolean {
    return this.#step(() => segmentsToClean(this.#database).slice(0, 1))
  }

  /** Replaces several small segments by one. False when there are few. */
  merge(): boolean {
    return this.#step(() => {
      const byOwner = Map.groupBy(segmentSizes(this.#database), ({ owner }) => owner)
      return [...byOwner.values()].map((own) => nextMerge(own)).find((ids) => ids.length > 0) ?? []
    })
  }

  #step(next: () => readonly number[]): boolean {
    // The segments that were read before a redaction have its words.
    if (this.#running?.gone !== lastGone(this.#database)) this.#running = undefined
    this.#running ??= this.#begin(next)
    if (this.#running === undefined) return false
    const until = performance.now() + SLICE_MS
    do {
      const { done, value } = this.#running.steps.next()
      if (done !== true) continue
      const finished = this.#running
      this.#running = undefined
      this.#replace(finished, value)
      return true
    } while (performance.now() < until)
    return true
  }

  #begin(next: () => readonly number[]): Running | undefined {
    let running: Running | undefined
    inSnapshot(this.#database, () => {
      const ids = next()
      const sources = readSources(this.#database, ids)
      const owner = segmentSizes(this.#database).find(({ id }) => id === ids[0])?.owner
      if (sources === undefined || owner === undefined) return
      running = { ids, owner, steps: merged(sources), gone: lastGone(this.#database) }
    })
    return running
  }

  /** A crash of the machine may undo this: the segments from before are then there again. */
  #replace({ ids, owner, gone }: Running, segment: Segment): void {
    inLightTransaction(this.#database, () => {
      const known = new Set(segmentSizes(this.#database).map(({ id }) => id))
      if (lastGone(this.#database) !== gone || !ids.every((id) => known.has(id))) return
      deleteSegments(this.#database, ids)
      insertSegment(this.#database, owner, segment)
    })
  }
}
