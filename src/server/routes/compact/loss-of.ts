import { roomIn } from '../../../agent/pin-message.ts'
import { MOST_LOST } from '../../../contract/routes/compact-routes.ts'
import type { WireLoss, WireLostMessage } from '../../../contract/shapes/compaction-shapes.ts'
import { type PutBackRoom, putBackExcess } from '../../../engine/plan/bounds.ts'
import { notBackText } from '../../../engine/report/change-text.ts'
import { withoutFolder } from '../../../engine/report/item-names.ts'
import { lossText } from '../../../engine/report/loss-text.ts'
import type { Entry, EntryOf, Seq } from '../../../model/types.ts'
import { type Loss, type LostMessage, lostMessages } from '../../../study/loss/lost-messages.ts'
import type { Estimator } from '../../../tokens/estimate/estimator.ts'
import { entriesIn } from '../../sessions/entries-in.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { measureOf } from '../../sessions/measure.ts'
import type { Services } from '../../sessions/services.ts'
import { compactionAt, itemsAfter, recordAfter } from './compaction-detail.ts'

/** The messages that a compaction lost, the first `limit` of them. */
export async function lossOf(services: Services, served: ServedSession, seq: Seq, limit: number): Promise<WireLoss> {
  const { live } = served
  const { row, entry } = await compactionAt(services, served, seq)
  if (row.undone) return { total: 0, tokens: 0, messages: [] }
  const { room, estimator } = roomIn((await measureOf(services, served)).agent)
  const { lastSeq } = live.session
  if (served.loss?.of !== seq || served.loss.lastSeq !== lastSeq) {
    const found = findLoss(services, served, entry, estimator)
    served.loss = { of: seq, lastSeq, found }
    found.catch(() => {
      if (served.loss?.found === found) served.loss = undefined
    })
  }
  const { total, tokens, first } = await served.loss.found
  return {
    total,
    tokens,
    messages: first.slice(0, limit).map((one) => wireLost(one, room, live.session.workspace)),
  }
}

/** Reads the whole log, so the result is kept until the log grows. */
async function findLoss(
  services: Services,
  served: ServedSession,
  compaction: EntryOf<'compaction'>,
  estimator: Estimator,
): Promise<Loss> {
  const log: Entry[] = []
  for await (const one of entriesIn(services.store, served.id)) log.push(one)
  const record = recordAfter(served.live, await itemsAfter(services, served, compaction), compaction.seq)
  const lost = lostMessages({ log, compaction, record, estimator })
  return {
    total: lost.length,
    tokens: lost.reduce((sum, { tokens }) => sum + tokens, 0),
    first: lost.slice(0, MOST_LOST),
  }
}

function wireLost(lost: LostMessage, room: PutBackRoom, folder: string): WireLostMessage {
  const { seq, role, tokens, stepTokens, since } = lost
  const excess = putBackExcess(stepTokens, room)
  return {
    seq,
    role,
    name: withoutFolder(lost.name, folder),
    tokens,
    first_line: lost.firstLine,
    why: lost.reasons.map((reason) => withoutFolder(lossText(reason), folder)),
    since,
    step: [...lost.step],
    step_tokens: stepTokens,
    does_not_fit: excess && notBackText(seq, excess),
  }
}
