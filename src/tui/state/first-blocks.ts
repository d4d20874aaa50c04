import { counted } from '../../engine/report/numbers.ts'
import type { Entry } from '../../model/entry.ts'
import { blocksOf } from './apply-entry.ts'
import type { Block } from './blocks.ts'
import { type Line, line } from './line.ts'

export type FirstScreen = {
  readonly workspace: string
  readonly noModel: string | undefined
  readonly firstRun: boolean
  readonly notices: readonly string[]
  /** How many messages come before the entries. */
  readonly earlier: number
}

/** The transcript of a session that has just been opened: the workspace, the messages, and the notices. */
export function firstBlocks(entries: readonly Entry[], first: FirstScreen): Block[] {
  const { workspace, noModel, firstRun, earlier, notices } = first
  const said = blocksOf(entries)
  const told = [...notices, ...(noModel === undefined ? [] : [noModel])]
  return [
    { kind: 'panel', lines: header(workspace) },
    ...(earlier === 0 ? [] : [earlierNote(earlier)]),
    ...said,
    ...told.map((text): Block => ({ kind: 'note', text, tone: 'warning' })),
    ...(firstRun ? [{ kind: 'panel', lines: INVITATION } as const] : []),
  ]
}

function header(workspace: string): Line[] {
  return [
    [
      ['Pith', 'bold'],
      [` · ${workspace}`, 'muted'],
    ],
    line('/help lists the commands · @ completes files · Ctrl+C interrupts, twice quits', 'muted'),
  ]
}

const INVITATION: readonly Line[] = [
  [
    ['Press Tab', 'accent'],
    [' to open an example session: a long one, nearly full, to try', 'plain'],
  ],
  line('/compact, /context and /undo on. It needs no model and no network.'),
]

function earlierNote(earlier: number): Block {
  const text = `… ${counted(earlier, 'earlier message')}: /recall <text> finds them`
  return { kind: 'note', text, tone: 'muted' }
}
