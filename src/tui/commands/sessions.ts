import { counted } from '../../engine/report/numbers.ts'
import type { SessionRow, Span } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { type Command, type CommandContext, handleIn, sayResult } from './command.ts'

export const slashSessions: Command = {
  name: 'sessions',
  about: 'List sessions and open one',
  run: (context) => chooseSession(context),
}

export const slashResume: Command = {
  name: 'resume',
  takes: '[id]',
  about: 'Open an earlier session',
  run: async (context, rest) => (rest === '' ? chooseSession(context) : openNamed(context, rest)),
}

export const slashNewSession: Command = {
  name: 'new',
  about: 'Start a new session',
  run: async (context) => sayResult(context, await context.port.newSession()),
}

export const slashFork: Command = {
  name: 'fork',
  takes: '[#12]',
  about: 'Continue in a new session, from here or from before a message',
  run: async (context, rest) => {
    const before = handleIn(rest)
    if (rest !== '' && before === undefined) return context.note('Name a message: /fork #12', 'error')
    const forked = await context.port.fork(before)
    sayResult(context, forked)
    if (forked.ok && context.state().session !== undefined)
      context.note('This is a fork: the other session stays as it is.')
  },
}

export const slashRename: Command = {
  name: 'rename',
  takes: '<title>',
  about: 'Give the session a name',
  run: async (context, rest) => {
    if (rest === '') return context.note('Say how: /rename <title>', 'error')
    sayResult(context, await context.port.rename(rest))
    context.note(`The session is called ${rest} now.`)
  },
}

export const slashExample: Command = {
  name: 'example',
  about: 'Open the example session, which needs no model',
  run: async (context) => sayResult(context, await context.port.openExample()),
}

async function chooseSession(context: CommandContext): Promise<void> {
  const all = await context.port.sessions()
  const here = context.state().session?.id
  const others = all.filter(({ id }) => id !== here)
  if (others.length === 0) return context.note('There is no other session yet.')
  const rows = others.map((row) => ({ value: row.id, cells: cellsOf(row, context.now()) }))
  const picked = await context.pick({ title: 'Sessions', rows, align: ['left', 'left', 'right', 'left'] })
  if (picked !== undefined) await openNamed(context, picked)
}

/** Opens a session. If it works in another folder, the user decides. */
async function openNamed(context: CommandContext, name: string): Promise<void> {
  const result = await context.port.openSession(name)
  if (result.elsewhere === undefined) return sayResult(context, result)
  const { id, folder, canMove } = result.elsewhere
  const shown = safeText(folder)
  const here = context.state().session?.workspace ?? ''
  const move = { value: 'move', cells: [['go to its folder'], [shown, 'muted']] } as const
  const fork = { value: 'fork', cells: [['continue here, as a fork'], [safeText(here), 'muted']] } as const
  const leave = { value: 'leave', cells: [['leave it'], ['nothing is opened', 'muted']] } as const
  // A note and not the title of the list, because that has only one line and a path may be longer.
  context.note(
    canMove ? `This session works in ${shown}` : `This session worked in ${shown}, which does not exist here`,
  )
  const picked = await context.pick({ title: 'Open it where?', rows: canMove ? [move, fork, leave] : [fork, leave] })
  if (picked === 'move') return context.moveTo(folder, id)
  if (picked !== 'fork') return context.note('The session was not opened.')
  sayResult(context, await context.port.forkHere(id))
  context.note(`This is a fork that works here. The other session stays as it is, and so do the files in ${shown}.`)
}

function cellsOf({ id, title, workspace, updatedAt, entries, fork }: SessionRow, now: number): Span[] {
  return [
    [id.slice(0, 8), 'muted'],
    [`${title === undefined ? 'without a name' : safeText(title)}${fork ? ' ⑂' : ''}`],
    [counted(entries, 'entry'), 'muted'],
    [ago(now - updatedAt), 'muted'],
    [workspace, 'muted'],
  ]
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}
