import { counted } from '../../engine/report/numbers.ts'
import type { Entry } from '../../model/entry.ts'
import type { SpentMeter } from '../../session/spent-meter.ts'
import type { Opened } from '../port-data.ts'
import { safeText } from '../safe-text.ts'
import { type LocalSession, shownModel } from './open-session.ts'
import type { LocalSetup } from './setup.ts'

/** Entries of the log that a screen begins with. */
const SHOWN_ENTRIES = 400

/** What a screen shows of a session that has just been opened. */
export async function openedReport(setup: LocalSetup, local: LocalSession, spent: SpentMeter): Promise<Opened> {
  const { agent, gate, noModel } = local
  const { session } = agent.live
  const { entries } = await setup.store.entries(session.id, { order: 'newest', limit: SHOWN_ENTRIES })
  const cost = spent.report.cost
  return {
    session: {
      id: session.id,
      ...(session.title === undefined ? {} : { title: safeText(session.title) }),
      workspace: agent.deps.workspace,
    },
    model: shownModel(agent),
    ...(noModel === undefined ? {} : { noModel }),
    permissions: gate.mode,
    status: agent.status(),
    suggestPercent: agent.policy.suggestPercent,
    ...(cost === undefined ? {} : { cost }),
    notices: noticesOf(setup, local),
    entries: fromTurnStart(entries),
    earlier: earlierThan(entries),
    firstRun: noModel !== undefined && session.lastSeq === 0 && (await isFirst(setup)),
  }
}

/** Notices about the configuration files, and about entries of the log that cannot be read. */
function noticesOf({ config }: LocalSetup, { agent }: LocalSession): string[] {
  const { bad } = agent.live
  return [
    ...config.notices.map(safeText),
    ...(bad.length === 0
      ? []
      : [
          `${counted(bad.length, 'entry')} of this session cannot be read and were set aside: ${bad.map(({ seq }) => `#${seq}`).join(', ')}`,
        ]),
  ]
}

/** A result without its call shows nothing, so the transcript begins with something whole. */
function fromTurnStart(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.findIndex((entry) => entry.type !== 'message' || entry.message.role !== 'tool')
  return entries.slice(Math.max(0, first))
}

function earlierThan(entries: readonly Entry[]): number {
  return Math.max(0, (entries[0]?.seq ?? 1) - 1)
}

async function isFirst({ store }: LocalSetup): Promise<boolean> {
  const { sessions } = await store.sessions({ limit: 5 })
  return sessions.every(({ lastSeq }) => lastSeq === 0)
}
