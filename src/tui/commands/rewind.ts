import { counted } from '../../engine/report/numbers.ts'
import { leftText, someOf } from '../../engine/report/rewind-text.ts'
import { diffLines } from '../parts/diff-lines.ts'
import type { RewindReport, RewindWish } from '../port/port-data.ts'
import { type Line, line, type Span } from '../state/line.ts'
import { type Command, type CommandContext, handleIn, sayResult } from './command.ts'
import { pickMessage } from './record.ts'

export const slashRewind: Command = {
  name: 'rewind',
  takes: '[#12]',
  about: 'Go back to before a message: the conversation, the files, or both',
  run: async (context, rest) => {
    if (rest !== '' && handleIn(rest) === undefined) return context.note('Name a message: /rewind #12', 'error')
    const to = handleIn(rest) ?? (await pickMessage(context, 'Go back to which message?'))
    if (to === undefined) return
    const report = await context.port.rewindReport(to)
    if (report.unavailable !== undefined) context.note(report.unavailable)
    tellLost(context, report, 'These cannot be set back')
    const wish = await wishFor(context, to, report)
    if (wish === undefined || !(await goBack(context, wish))) return
    if (wish.files !== 'none' || report.files.length === 0) tellLost(context, report, 'These were not set back')
  },
}

/** Said before the choice and again after it: a fork draws the screen anew. */
function tellLost(context: CommandContext, { lost }: RewindReport, what: string): void {
  if (lost.length > 0) context.note(`${what}: ${leftText(lost)}`, 'warning')
}

/** Goes back, and returns whether it could. The message is in the input again, unless the conversation goes on. */
async function goBack(context: CommandContext, wish: RewindWish): Promise<boolean> {
  const said = context.state().blocks.find((block) => block.kind === 'user' && block.seq === wish.to)
  const result = await context.port.rewind(wish)
  sayResult(context, result)
  if (!result.ok || !wish.conversation) return result.ok
  if (said?.kind === 'user') context.compose(said.text)
  context.note('This is a fork from before that message: the other session stays as it is.')
  return true
}

/** Without files to set back there is nothing to choose. */
async function wishFor(context: CommandContext, to: number, report: RewindReport): Promise<RewindWish | undefined> {
  if (report.files.length === 0) return { to, files: 'none', conversation: true }
  for (;;) {
    const picked = await context.pick({ title: `Before #${to}: what goes back?`, rows: rowsOf(report) })
    if (picked === undefined) return undefined
    if (picked === 'diff') context.show(diffOf(report))
    else if (picked === 'talk') return { to, files: 'none', conversation: true }
    else {
      const files = await filesFor(context, report)
      return files === undefined ? undefined : { to, files, conversation: picked === 'both' }
    }
  }
}

function rowsOf({ files }: RewindReport): { value: string; cells: readonly Span[] }[] {
  const names = `${counted(files.length, 'file')}: ${someOf(files.map(({ path }) => path))}`
  return [
    { value: 'both', cells: [['conversation and files'], [names, 'muted']] },
    { value: 'files', cells: [['only the files'], ['you go on from here', 'muted']] },
    { value: 'talk', cells: [['only the conversation'], ['the files stay as they are', 'muted']] },
    { value: 'diff', cells: [['show the diff'], ['then choose', 'muted']] },
  ]
}

/** Which files to set back. What somebody else changed since is never overwritten unasked. */
async function filesFor({ pick }: CommandContext, { files }: RewindReport): Promise<RewindWish['files'] | undefined> {
  const changed = files.filter(({ changedSince }) => changedSince).map(({ path }) => path)
  if (changed.length === 0) return 'all'
  const rows: { value: 'untouched' | 'all'; cells: readonly Span[] }[] = [
    { value: 'untouched', cells: [['leave them as they are'], ['set back the other files', 'muted']] },
    {
      value: 'all',
      cells: [['set them back too'], ['they are kept as they are now: /undo brings that back', 'muted']],
    },
  ]
  const title = `Changed since by you or another program: ${someOf(changed)}`
  const picked = await pick({ title, rows })
  return rows.find(({ value }) => value === picked)?.value
}

const MOST_LINES = 400

function diffOf({ files }: RewindReport): Line[] {
  const all = files.flatMap(({ path, change, changedSince, diff }) => [
    line(`${NAMES[change]} ${path}${changedSince ? ' (changed since by you or another program)' : ''}`, 'bold'),
    ...diffLines(diff).map(([text, tone]) => line(`  ${text}`, tone)),
  ])
  const left = all.length - MOST_LINES
  return left <= 0 ? all : [...all.slice(0, MOST_LINES), line(`… ${counted(left, 'more line')}`, 'muted')]
}

const NAMES = { restore: 'Restore', create: 'Create again', delete: 'Delete' } as const
