import type { WireLoss, WireLostMessage } from '../../../contract/compaction-shapes.ts'
import { type LostMessage, lostMessages } from '../../../engine/loss/lost-messages.ts'
import { type PutBackRoom, putBackExcess } from '../../../engine/plan/put-back-room.ts'
import { withoutFolder } from '../../../engine/report/item-names.ts'
import { lossText } from '../../../engine/report/loss-text.ts'
import { notBackText } from '../../../engine/report/put-back-text.ts'
import type { Entry } from '../../../model/entry.ts'
import type { Seq } from '../../../model/ids.ts'
import { entriesIn } from '../../sessions/entries-in.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { measureOf } from '../../sessions/measure.ts'
import { roomFor } from '../../sessions/room-for.ts'
import type { Services } from '../../sessions/services.ts'
import { compactionAt, itemsAfter, recordText } from './compaction-detail.ts'

/** What a compaction lost, the first `limit` of it. */
export async function lossOf(services: Services, served: ServedSession, seq: Seq, limit: number): Promise<WireLoss> {
  const { live } = served
  const { row, entry } = await compactionAt(services, served, seq)
  if (row.undone) return { total: 0, tokens: 0, messages: [] }
  const log: Entry[] = []
  for await (const one of entriesIn(services.store, live.id)) log.push(one)
  const record = recordText(live, await itemsAfter(services, served, entry), seq)
  const { room, estimator } = roomFor(served, await measureOf(services, served))
  const lost = lostMessages({ log, compaction: entry, record, estimator })
  return {
    total: lost.length,
    tokens: lost.reduce((sum, { tokens }) => sum + tokens, 0),
    messages: lost.slice(0, limit).map((one) => wireLost(one, room, live.session.workspace)),
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
