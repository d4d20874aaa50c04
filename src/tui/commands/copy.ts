import { count } from '../../engine/report/numbers.ts'
import { type Command, handleIn } from './command.ts'

export const slashCopy: Command = {
  name: 'copy',
  takes: '[#12]',
  about: 'Copy the last answer, or a message, to the clipboard of the terminal',
  anytime: true,
  run: async ({ state, note, copy }, rest) => {
    const seq = handleIn(rest)
    if (rest !== '' && seq === undefined) return note('Name a message: /copy #12', 'error')
    const block = state().blocks.findLast((each) =>
      seq === undefined ? each.kind === 'assistant' : 'text' in each && each.seq === seq,
    )
    if (block === undefined || !('text' in block)) return note('There is nothing to copy.', 'muted')
    copy(block.text)
    note(`Copied ${count(block.text.length)} characters, if the terminal lets programs use its clipboard.`)
  },
}
