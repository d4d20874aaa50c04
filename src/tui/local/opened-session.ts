import { gitBranch } from '../../agent/git-branch.ts'
import { counted } from '../../engine/report/numbers.ts'
import type { Entry } from '../../model/types.ts'
import type { SpentMeter } from '../../session/account/spent-meter.ts'
import type { OpenedSession } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { type LocalSession, shownModel } from './local-session.ts'
import type { LocalSetup } from './local-setup.ts'

/** The most entries of the log that the first screen shows. */
const SHOWN_ENTRIES = 400

/** A session as a screen shows it first. */
export async function openedSession(setup: LocalSetup, local: LocalSession, spent: SpentMeter): Promise<OpenedSession> {
  const { agent, gate, noModel } = local
  const { session } = agent.live
  const { entries } = await setup.store.entries(session.id, { order: 'newest', limit: SHOWN_ENTRIES })
  return {
    session: {
      id: session.id,
      title: session.title === undefined ? undefined : safeText(session.title),
      workspace: agent.deps.workspace,
    },
    model: shownModel(agent),
    noModel,
    permissions: permissionsText(gate.mode, agent),
    thinking: agent.reasoning,
    status: agent.status(),
    suggestPercent: agent.policy.suggestPercent,
    cost: spent.report.cost,
    knownCost: spent.report.knownCost,
    notices: noticesOf(setup, local),
    branch: gitBranch(agent.deps.workspace),
    reads: agent.deps.fixed.names,
    readsThere: agent.deps.fixed.elsewhere,
    entries: fromTurnStart(entries),
    earlier: earlierThan(entries),
    firstRun: noModel !== undefined && session.lastSeq === 0 && (await isFirst(setup)),
  }
}

/** Notices about the configuration files, about files that are not read, and about entries of the log that cannot be read. */
function noticesOf({ config }: LocalSetup, { agent }: LocalSession): string[] {
  const { bad } = agent.live
  return [
    ...[...config.notices, ...agent.deps.fixed.newRefusals()].map(safeText),
    ...(bad.length === 0
      ? []
      : [
          `${counted(bad.length, 'entry')} of this session cannot be read and were set aside: ${bad.map(({ seq }) => `#${seq}`).join(', ')}`,
        ]),
  ]
}

/** The permission mode, and whether commands run in a sandbox. */
export function permissionsText(mode: string, { deps: { sandbox } }: LocalSession['agent']): string {
  if (sandbox === undefined) return mode
  return `${mode}, sandbox${sandbox.hasNetwork ? '' : ' without network'}`
}

/** Removes leading tool results, because a result without its call cannot be shown. */
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
