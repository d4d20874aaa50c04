import { elapsed } from '../../engine/report/numbers.ts'
import type { PickerRow } from '../parts/picker.ts'
import { type JobRow, line, type Tone } from '../port/port.ts'
import { type Command, type CommandContext, sayResult } from './command.ts'

export const slashJobs: Command = {
  name: 'jobs',
  takes: '[j12]',
  about: 'List commands in the background: read their output, stop or detach one',
  anytime: true,
  run: async (context, rest) => {
    const { port, note, pick } = context
    const { jobs, unavailable } = await port.jobs()
    if (unavailable !== undefined) return note(unavailable)
    if (jobs.length === 0) return note('No command is in the background: Ctrl+B sends the running one there.')
    const rows = jobs.toReversed().map(rowOf)
    const id = rest === '' ? await pick({ title: 'Commands in the background', rows }) : rest
    const job = jobs.find((each) => each.id === id)
    if (job !== undefined) await useJob(context, job)
    else if (id !== undefined) note(`There is no background command ${id}: /jobs lists them`, 'error')
  },
}

const TONES: Readonly<Record<JobRow['state'], Tone>> = { running: 'accent', ended: 'muted', detached: 'warning' }

function rowOf({ id, state, ms, exit, command, lastLine }: JobRow): PickerRow {
  // One cell, because a column that does not fit is left out.
  const about = [command, lastLine].filter((text) => text !== '').join(' · ')
  const how = state === 'ended' ? `exit ${exit ?? '?'}` : state
  const tone = exit === undefined || exit === 0 ? TONES[state] : 'error'
  return {
    value: id,
    cells: [
      [id, 'bold'],
      [how, tone],
      [elapsed(ms), 'muted'],
      [about, 'plain'],
    ],
  }
}

/** Shows the end of the output. A running command can be stopped or detached. */
async function useJob(context: CommandContext, { id, state, command }: JobRow): Promise<void> {
  const { port, pick, show } = context
  const title = `${id}: ${command}`
  const wish = state === 'running' ? await pick({ title, rows: ACTIONS }) : 'output'
  if (wish === 'stop') sayResult(context, await port.stopJob(id))
  if (wish === 'detach') sayResult(context, await port.detachJob(id))
  if (wish !== 'output') return
  const output = await port.jobOutput(id)
  show([line(title, 'bold'), ...(output === '' ? '(no output)' : output).split('\n').map((text) => line(text))])
}

const ACTIONS: readonly PickerRow[] = [
  { value: 'output', cells: [['output'], ['show the end of its output', 'muted']] },
  { value: 'stop', cells: [['stop'], ['end it, with all that it started', 'muted']] },
  { value: 'detach', cells: [['detach'], ['let it run on when Pith ends', 'muted']] },
]
