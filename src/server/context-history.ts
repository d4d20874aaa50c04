import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from '@hono/zod-openapi'
import { inactiveSeqs } from '../engine/activity.ts'
import { estimatorOf } from '../engine/estimator-of.ts'
import { changesView, extendView, viewOf } from '../engine/view.ts'
import type { Entry } from '../model/entry.ts'
import { policyOf } from '../model/presets.ts'
import type { View } from '../model/view.ts'
import type { Store } from '../store/store.ts'
import { status } from '../tokens/status.ts'
import { addItem, fixedSizes, type Parts, scaledTo } from './context-parts.ts'
import type { contextHistorySchema, markSchema, pointSchema } from './contract/shapes.ts'
import type { ServedSession } from './live-sessions.ts'
import { budgetFor, type Measure } from './session-report.ts'

type Point = z.infer<typeof pointSchema>
type Mark = z.infer<typeof markSchema>

const PAGE = 1_000

/**
 * The context over the life of a session: how full it was behind every entry, thinned out to `most` points, and every
 * change as a mark. It counts as today's status does, with the model and the policy of today.
 */
export async function contextHistory(
  store: Store,
  { live }: ServedSession,
  measure: Measure,
  most: number,
): Promise<z.infer<typeof contextHistorySchema>> {
  const log: Entry[] = []
  const { model, policy, fixed } = measure
  const estimator = estimatorOf(policyOf(policy), live.log, model.info)
  const every = Math.max(1, Math.ceil(live.session.lastSeq / most))
  const points: Point[] = []
  const marks: Mark[] = []
  let view: View = viewOf([])
  let parts = fixedSizes(fixed, estimator)
  const tokensNow = () => status({ view, model: model.info, fixed, estimator }).tokens
  for await (const entry of entriesOf(store, live.id)) {
    const before = changesView(entry) ? tokensNow() : 0
    log.push(entry)
    view = extendView(view, entry, log)
    if (changesView(entry)) {
      parts = sizesOf(view, fixedSizes(fixed, estimator), estimator)
      marks.push(markOf(entry, log, before, tokensNow()))
      // A long log with many changes is no reason to keep all others waiting.
      await nextTurn()
    } else if (entry.type === 'message') {
      const item = view.items.at(view.items.length - 1)
      if (item !== undefined) addItem(parts, item, estimator)
    }
    if (changesView(entry) || entry.seq % every === 0 || entry.seq === live.session.lastSeq) {
      const tokens = tokensNow()
      points.push({ seq: entry.seq, at: entry.at, tokens, parts: scaledTo(parts, tokens) })
    }
  }
  const inactive = inactiveSeqs(log)
  const { window, trigger } = budgetFor(measure)
  return {
    ...(window === undefined ? {} : { window }),
    ...(trigger === undefined ? {} : { trigger }),
    points,
    marks: marks.map((mark) => ({ ...mark, undone: inactive.has(mark.seq) })),
  }
}

async function* entriesOf(store: Store, id: string): AsyncGenerator<Entry, void> {
  for (let from = 1; ; ) {
    const { entries, bad } = await store.entries(id, { from, limit: PAGE })
    yield* entries
    const last = Math.max(entries.at(-1)?.seq ?? 0, bad.at(-1)?.seq ?? 0)
    if (last === 0) return
    from = last + 1
  }
}

function sizesOf(view: View, parts: Parts, estimator: Parameters<typeof addItem>[2]): Parts {
  for (const item of view.items) addItem(parts, item, estimator)
  return parts
}

function markOf(entry: Entry, log: readonly Entry[], tokensBefore: number, tokensAfter: number): Mark {
  const undoes = entry.type === 'undo' ? log.find(({ seq }) => seq === entry.of)?.type : undefined
  return {
    seq: entry.seq,
    at: entry.at,
    type: undoes === 'undo' ? 'redo' : markType(entry.type),
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    undone: false,
  }
}

function markType(type: Entry['type']): Mark['type'] {
  switch (type) {
    case 'compaction':
    case 'mask':
    case 'squeeze':
    case 'edit':
    case 'undo':
    case 'redact':
      return type
    default:
      return 'repair'
  }
}
