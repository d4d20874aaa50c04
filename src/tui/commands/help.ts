import { count } from '../../engine/report/numbers.ts'
import type { PickerRow } from '../parts/picker.ts'
import type { OwnCommandRow } from '../port/port.ts'
import type { Block } from '../state/state.ts'
import { type Command, handleIn } from './command.ts'
import { hiddenBy, ownCommands } from './own.ts'

/** The keys and their effect, for help and documentation. */
export const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'send; while the agent works: to the model after the tool that runs'],
  ['Tab', 'while the agent works: queue for after the turn'],
  ['Shift+Enter or \\ Enter', 'new line'],
  ['↑ on an empty input', 'queued, then earlier messages'],
  ['@', 'complete a file of the workspace; it is attached, an image too'],
  ['Esc', 'interrupt the reply or the compaction'],
  ['Ctrl+B', 'send the running command to the background; in tmux press it twice'],
  ['Esc Esc on an empty input', 'go back to an earlier message: conversation, files or both'],
  ['Shift+Tab', 'how much the model thinks: the next level'],
  [
    'Ctrl+O',
    'open a paste in the input; unfold pastes, long commands, tool output, reasoning and summaries; turn the page of a long question',
  ],
  ['! before a command', 'run it in the shell, outside of the sandbox; its output is in the conversation'],
  ['!! before a command', 'run it in your terminal, as `!vim` does by itself; its output is not in the conversation'],
  ['Ctrl+R', 'choose a message that you sent earlier, in this or another session'],
  ['Ctrl+V', 'attach the image of the clipboard'],
  ['Ctrl+G', 'write the message in your editor ($VISUAL or $EDITOR)'],
  ['Ctrl+C', 'interrupt; clear the input; twice in a row: quit'],
]

export const slashHelp: Command = {
  name: 'help',
  about: 'List commands and keys; Enter puts a command into the input',
  anytime: true,
  run: async ({ pick, compose, builtIn, port }) => {
    const rows = helpRows(builtIn, await port.ownCommands())
    const picked = await pick({ title: 'Commands and keys', rows })
    if (picked !== undefined && picked !== NOT_FOR_INPUT) compose(picked)
  },
}

export const slashQuit: Command = {
  name: 'quit',
  about: 'Leave; the session can be resumed',
  anytime: true,
  run: async ({ quit }) => quit(),
}

/** The value of a row that has no command for the input: a key, or a file that is not used. */
const NOT_FOR_INPUT = ''

/** The built-in commands, then the own ones, and the keys. */
function helpRows(builtIn: readonly Command[], own: readonly OwnCommandRow[]): PickerRow[] {
  const commands = [...builtIn, ...ownCommands(own, builtIn)].map(
    ({ name, takes, about }): PickerRow => ({
      value: takes === undefined ? `/${name}` : `/${name} `,
      cells: [[`/${name}${takes === undefined ? '' : ` ${takes}`}`], [about, 'muted']],
    }),
  )
  const hidden = own.flatMap((row): PickerRow[] => {
    const by = hiddenBy(row, builtIn)
    const why = `of ${row.source} is not used: ${by} has this name`
    return by === undefined ? [] : [{ value: NOT_FOR_INPUT, cells: [[`/${row.name}`], [why, 'muted']] }]
  })
  const keys = KEYS.map(([key, about]): PickerRow => ({ value: NOT_FOR_INPUT, cells: [[key], [about, 'muted']] }))
  return [...commands, ...hidden, ...keys]
}

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
