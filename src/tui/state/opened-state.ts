import { counted } from '../../engine/report/numbers.ts'
import { someOf } from '../../engine/report/rewind-text.ts'
import type { Entry } from '../../model/entry.ts'
import type { OpenedSession } from '../port/port-data.ts'
import { safeText } from '../port/safe-text.ts'
import { blocksOf } from './apply-entry.ts'
import type { Block } from './blocks.ts'
import { type Line, line } from './line.ts'
import type { State } from './state.ts'

/** The state of a screen that shows this session from now on. What the user has queued stays. */
export function openedState(
  state: State,
  { entries, status, session, cost, knownCost, noModel, ...rest }: OpenedSession,
): State {
  const { unfolded, queue } = state
  const {
    model,
    thinking,
    permissions,
    suggestPercent,
    earlier,
    firstRun,
    branch,
    reads,
    readsThere,
    notices = [],
  } = rest
  return {
    session,
    status,
    model,
    thinking,
    permissions,
    suggestPercent,
    earlier,
    firstRun,
    noModel,
    cost,
    knownCost,
    blocks: firstBlocks(entries, {
      workspace: session.workspace,
      branch,
      reads,
      readsThere,
      noModel,
      firstRun,
      earlier,
      notices,
    }),
    live: { text: '', reasoning: '' },
    activity: { kind: 'idle' },
    inTurn: false,
    queue,
    steering: [],
    questions: [],
    unfolded,
  }
}

type FirstScreen = {
  readonly workspace: string
  readonly branch?: string
  readonly reads?: readonly string[]
  readonly readsThere?: readonly string[]
  readonly noModel: string | undefined
  readonly firstRun: boolean
  readonly notices: readonly string[]
  /** How many messages come before the entries. */
  readonly earlier: number
}

/** The transcript of a session that has just been opened: the workspace, the messages, and the notices. */
function firstBlocks(entries: readonly Entry[], first: FirstScreen): Block[] {
  const { noModel, firstRun, earlier, notices } = first
  const said = blocksOf(entries)
  const told = [...notices, ...(noModel === undefined ? [] : [noModel])]
  return [
    { kind: 'panel', lines: header(first) },
    ...(earlier === 0 ? [] : [earlierNote(earlier)]),
    ...said,
    ...told.map((text): Block => ({ kind: 'note', text, tone: 'warning' })),
    ...(firstRun ? [{ kind: 'panel', lines: INVITATION } as const] : []),
  ]
}

function header({ workspace, branch, reads = [], readsThere = [] }: FirstScreen): Line[] {
  return [
    [
      ['Pith', 'bold'],
      [` · ${[workspace, ...(branch === undefined ? [] : [safeText(branch)])].join(' · ')}`, 'muted'],
    ],
    ...(reads.length === 0 ? [] : [line(`Reads ${reads.map(safeText).join(', ')}`, 'muted')]),
    ...(readsThere.length === 0
      ? []
      : [line(`Reads when it works there: ${someOf(readsThere.map(safeText))}`, 'muted')]),
    line('/help lists the commands · @ completes files · Ctrl+C interrupts, twice quits', 'muted'),
  ]
}

const INVITATION: readonly Line[] = [
  [
    ['Press Tab', 'accent'],
    [' for an example session: try /compact, /context and /undo on it.', 'plain'],
  ],
  line('It is long and nearly full, and needs no model and no network.'),
]

function earlierNote(earlier: number): Block {
  const text = `… ${counted(earlier, 'earlier entry')}: /recall <text> finds them`
  return { kind: 'note', text, tone: 'muted' }
}
