import { counted } from '../../engine/report/numbers.ts'
import type { SessionRow } from '../port/port-data.ts'
import { safeText } from '../port/safe-text.ts'
import type { Span } from '../state/line.ts'
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
  run: async (context, rest) =>
    rest === '' ? chooseSession(context) : sayResult(context, await context.port.openSession(rest)),
}

export const slashNewSession: Command = {
  name: 'new',
  about: 'Start a new session',
  run: async (context) => sayResult(context, await context.port.newSession()),
}

export const slashFork: Command = {
  name: 'fork',
  takes: '[#12]',
  about: 'Go on in a session of its own, from here or from before a message',
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
  if (picked !== undefined) sayResult(context, await context.port.openSession(picked))
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
