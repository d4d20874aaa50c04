import { counted } from '../../engine/report/numbers.ts'
import { type Line, line } from '../state/line.ts'
import { type Command, type CommandContext, handleIn, sayChange, sayResult } from './command.ts'

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
  takes: '<text or #12>',
  about: 'Find what was said, compacted or not, and get it back verbatim',
  anytime: true,
  run: async ({ port, show, note }, rest) => {
    if (rest === '') return note('Say what to look for: /recall <text>, or /recall #12', 'error')
    const hits = await port.recall(rest)
    if (hits.length === 0) return note(`Nothing found for ${rest}`, 'muted')
    show(hits.flatMap(({ seq, type, text }) => [line(`#${seq} ${type}`, 'accent'), ...textLines(text)]))
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
export async function pickMessage({ state, pick, note }: CommandContext, title: string): Promise<number | undefined> {
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
