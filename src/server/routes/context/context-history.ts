import type { WireContextHistory, WireMark, WirePoint } from '../../../contract/shapes/shapes.ts'
import { estimateIn, statusIn } from '../../../engine/context/context.ts'
import { type ReductionSizes, reductionSizes } from '../../../engine/context/measure/reduction-sizes.ts'
import { extendContext, openContext } from '../../../engine/context/open-context.ts'
import { inactiveSeqs } from '../../../engine/context/view/activity.ts'
import { changesView } from '../../../engine/context/view/changes-view.ts'
import { withoutTakenOut } from '../../../engine/context/view/replaced-range.ts'
import { addItem, partSizes } from '../../../engine/report/context-parts.ts'
import type { Entry } from '../../../model/entry.ts'
import { Sequence } from '../../../model/values/sequence.ts'
import type { LiveSession } from '../../../session/live-session.ts'
import type { Store } from '../../../store/store.ts'
import { entriesIn } from '../../sessions/entries-in.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import type { Measure } from '../../sessions/measure.ts'
import { wireParts } from './wire-parts.ts'

/**
 * The context over the life of a session: how full it was after each entry, reduced to `most` points, and every change as
 * a mark. All points are counted with today's model and policy, as the status is.
 */
export function contextHistory(
  store: Store,
  served: ServedSession,
  measure: Measure,
  most: number,
): Promise<WireContextHistory> {
  const { model, context } = measure
  const { settings: given, fixed } = context
  const settings = JSON.stringify([most, model.name, given.model, given.policy, fixed.counts])
  const { live, history: known } = served
  const { view } = live
  if (known?.view === view && known.settings === settings) return known.value
  const history = { view, settings, value: walk(store, live, measure, most) }
  served.history = history
  history.value.catch(() => {
    if (served.history === history) served.history = undefined
  })
  return history.value
}

async function walk(store: Store, live: LiveSession, measure: Measure, most: number): Promise<WireContextHistory> {
  const { settings, estimator, budget } = measure.context
  // A later entry puts these back.
  const back = new Set(live.log.flatMap((entry) => (entry.type === 'pin' ? (entry.back ?? []) : [])))
  const takenBack = new Set(live.log.flatMap((entry) => (entry.type === 'undo' ? [entry.of] : [])))
  const inactive = inactiveSeqs(live.log)
  const every = Math.max(1, Math.ceil(live.session.lastSeq / most))
  const points: WirePoint[] = []
  const marks: WireMark[] = []
  let context = openContext([], { ...settings, estimator })
  let sizes = partSizes(context)
  for await (const entry of entriesIn(store, live.id)) {
    const before = changesView(entry) ? estimateIn(context) : 0
    context = extendContext(context, entry)
    if (changesView(entry)) {
      sizes = partSizes(context)
      const log = context.log.slice()
      marks.push(markOf(entry, log, before, estimateIn(context)))
      // Later folds do not need the messages that the summary replaced.
      if (entry.type === 'compaction' && !takenBack.has(entry.seq))
        context = { ...context, log: Sequence.of(withoutTakenOut(log, entry, (seq) => back.has(seq))) }
    } else if (entry.type === 'message') addItem(sizes, context, context.sizes.items.length - 1)
    if (changesView(entry) || entry.seq % every === 0 || entry.seq === live.session.lastSeq) {
      const { tokens } = statusIn(context)
      points.push({ seq: entry.seq, at: entry.at, tokens, parts: wireParts(sizes, tokens, measure.isFixedKnown) })
    }
  }
  const counted = reductionSizes(live.log)
  const { window, trigger } = budget
  return {
    window,
    trigger,
    points,
    marks: marks.map((mark) => ({ ...mark, ...wireSizes(counted.get(mark.seq)), undone: inactive.has(mark.seq) })),
  }
}

/** Of a reduction, what every other part of the page shows of it. */
function wireSizes(sizes: ReductionSizes | undefined): Partial<WireMark> {
  return sizes === undefined ? {} : { tokens_before: sizes.tokensBefore, tokens_after: sizes.tokensAfter }
}

function markOf(entry: Entry, log: readonly Entry[], tokensBefore: number, tokensAfter: number): WireMark {
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

function markType(type: Entry['type']): WireMark['type'] {
  switch (type) {
    case 'compaction':
    case 'mask':
    case 'squeeze':
    case 'edit':
    case 'undo':
    case 'redact':
      return type
    case 'pin':
      return 'put-back'
    default:
      return 'repair'
  }
}
