import { leftText, someOf } from '../../engine/report/change-text.ts'
import { counted } from '../../engine/report/numbers.ts'
import { diffLines } from '../parts/diff-lines.ts'
import { type Line, line, type RewindReport, type RewindWish, type Span } from '../port/port.ts'
import { type Command, type CommandContext, handleIn, sayChange, sayResult } from './command.ts'

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
    noteLost(context, report, 'These cannot be set back')
    const wish = await wishFor(context, to, report)
    if (wish === undefined || !(await goBack(context, wish))) return
    if (wish.files !== 'none' || report.files.length === 0) noteLost(context, report, 'These were not set back')
  },
}

/** Shown before the choice and again after it, because a fork draws the screen again. */
function noteLost(context: CommandContext, { lost }: RewindReport, what: string): void {
  if (lost.length > 0) context.note(`${what}: ${leftText(lost)}`, 'warning')
}

/** Goes back, and returns whether that worked. If the conversation goes back, the message is put into the input again. */
async function goBack(context: CommandContext, wish: RewindWish): Promise<boolean> {
  const message = context.state().blocks.find((block) => block.kind === 'user' && block.seq === wish.to)
  const result = await context.port.rewind(wish)
  sayResult(context, result)
  if (!result.ok || !wish.conversation) return result.ok
  if (message?.kind === 'user') context.compose(message.text)
  context.note('This is a fork from before that message: the other session stays as it is.')
  return true
}

/** Asks how far to go back. If there are no files to restore, there is nothing to choose. */
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
    { value: 'files', cells: [['only the files'], ['you continue from here', 'muted']] },
    { value: 'talk', cells: [['only the conversation'], ['the files stay as they are', 'muted']] },
    { value: 'diff', cells: [['show the diff'], ['then choose', 'muted']] },
  ]
}

/** Asks which files to restore. Changes by the user or another program are never overwritten without asking. */
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
    ...diffLines(diff, path).map((each): Line => [['  '], ...each]),
  ])
  const left = all.length - MOST_LINES
  return left <= 0 ? all : [...all.slice(0, MOST_LINES), line(`… ${counted(left, 'more line')}`, 'muted')]
}

const NAMES = { restore: 'Restore', create: 'Create again', delete: 'Delete' } as const

export const slashSummary: Command = {
  name: 'summary',
  takes: '[edit]',
  about: 'Read the summary that the model sees; edit it',
  run: async (context, rest) => {
    const { port, show, note, edit } = context
    const now = await port.summary()
    if (now === undefined) return note('There is no summary: nothing has been compacted.', 'muted')
    if (rest !== 'edit') {
      const from = `Summary of ${counted(now.standsFor, 'message')} (#${now.seq})`
      return show([
        line(from, 'bold'),
        ...textLines(now.record),
        line('/summary edit changes its words; the facts come from the log', 'muted'),
      ])
    }
    const changed = await edit('the summary', now.text)
    if (changed === undefined || changed === now.text) return note('The summary is as it was.', 'muted')
    sayResult(context, await port.editSummary(now.seq, changed))
  },
}

export const slashRecall: Command = {
  name: 'recall',
  takes: '<text or #12> [raw]',
  about: 'Find what was said, compacted or not, and get it back verbatim; raw: the output of a command as it came',
  anytime: true,
  run: async ({ port, show, note }, rest) => {
    if (rest === '') return note('Say what to look for: /recall <text>, or /recall #12', 'error')
    const hits = await port.recall(rest)
    if (hits.length === 0) return note(`Nothing found for ${rest}`, 'muted')
    show(
      hits.flatMap(({ task = '', seq, type, text }) => [line(`${task}#${seq} ${type}`, 'accent'), ...textLines(text)]),
    )
  },
}

export const slashPin: Command = {
  name: 'pin',
  takes: '<#12> [off]',
  about: 'Keep a message through every compaction; one that was compacted is put back',
  run: async (context, rest) => {
    const [handle = '', off] = rest.split(/\s+/)
    const seq = handleIn(handle) ?? (rest === '' ? await pickMessage(context, 'Pin which message?') : undefined)
    if (seq === undefined) return context.note('Name a message: /pin #12, or /pin #12 off', 'error')
    const { port } = context
    await sayChange(context, () => (off === 'off' ? port.unpin(seq) : port.pin(seq)))
  },
}

export const slashRedact: Command = {
  name: 'redact',
  takes: '<#12>',
  about: 'Remove what a message said for good, such as a pasted secret',
  run: async (context, rest) => {
    const seq = handleIn(rest) ?? (rest === '' ? await pickMessage(context, 'Redact which message?') : undefined)
    if (seq === undefined) return context.note('Name a message: /redact #12', 'error')
    const same = await context.port.sameText(seq)
    const rows = [
      { value: 'no', cells: [['no, leave it'] as const] },
      { value: 'yes', cells: [[`yes, remove the text of #${seq} for good: this cannot be undone`] as const] },
      ...(same.length === 0
        ? []
        : [{ value: 'all', cells: [[`yes, and that of ${handles(same)}: the same words are there`] as const] }]),
    ]
    const picked = await context.pick({ title: `Redact #${seq}?`, rows })
    if (picked !== 'yes' && picked !== 'all') return
    sayResult(context, await context.port.redact(picked === 'all' ? [seq, ...same] : [seq]))
    if (picked === 'yes' && same.length > 0)
      context.note(`The same words are still in ${handles(same)}: /redact removes them too`, 'warning')
  },
}

const MOST_HANDLES = 6

function handles(seqs: readonly number[]): string {
  const shown = seqs.slice(0, MOST_HANDLES).map((seq) => `#${seq}`)
  const rest = seqs.length - shown.length
  return `${shown.join(', ')}${rest === 0 ? '' : ` and ${counted(rest, 'more message')}`}`
}

/** Lets the user choose one of their messages, the newest first. */
async function pickMessage({ state, pick, note }: CommandContext, title: string): Promise<number | undefined> {
  const rows = state()
    .blocks.flatMap((block) => (block.kind === 'user' ? [block] : []))
    .toReversed()
    .map(({ seq, text }) => ({
      value: String(seq),
      cells: [[`#${seq}`, 'muted'] as const, [text.split('\n', 1)[0] ?? ''] as const],
    }))
  if (rows.length === 0) note('Nothing has been said yet.', 'muted')
  const picked = rows.length === 0 ? undefined : await pick({ title, rows })
  return picked === undefined ? undefined : Number(picked)
}

function textLines(text: string): Line[] {
  return text.split('\n').map((each) => line(`  ${each}`))
}
