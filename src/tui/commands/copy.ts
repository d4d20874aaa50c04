import { count } from '../../engine/report/numbers.ts'
import type { Block } from '../state/blocks.ts'
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
      seq === undefined ? each.kind === 'assistant' : 'seq' in each && each.seq === seq,
    )
    const text = block === undefined ? '' : wordsOf(block)
    if (text === '') return note('There is nothing to copy.', 'muted')
    copy(text)
    note(`Copied ${count(text.length)} characters, if the terminal lets programs use its clipboard.`)
  },
}

function wordsOf(block: Block): string {
  if (block.kind === 'tool') return block.output
  if (block.kind === 'compaction') return block.summary
  return 'text' in block ? block.text : ''
}
