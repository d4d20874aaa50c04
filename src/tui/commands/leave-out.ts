import { count, counted } from '../../engine/report/numbers.ts'
import type { Span } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { type Command, type CommandContext, handleIn, sayResult } from './command.ts'

export const slashLeaveOut: Command = {
  name: 'leave-out',
  takes: '[part] [later]',
  about: 'Leave out #4-#9, turn:#4, tool:NAME or file:PATH',
  run: async (context, rest) => {
    const later = /(?:^|\s+)later$/.exec(rest)
    const named = later === null ? rest : rest.slice(0, later.index)
    const what = named === '' ? await pickPart(context) : named
    if (what === undefined) return
    sayResult(context, await context.port.leaveOut(what, later === null ? 'now' : 'cold'))
  },
}

async function pickPart({ port, pick, note }: CommandContext): Promise<string | undefined> {
  const parts = await port.leaveOutChoices()
  if (parts.length === 0) {
    note('Nothing here is large enough to leave out.', 'muted')
    return undefined
  }
  const rows = parts.map(({ select, name, parts: messages, tokens }) => ({
    value: select,
    cells: [[count(tokens)], [safeText(name)], [counted(messages, 'message'), 'muted']] as const satisfies Span[],
  }))
  return pick({ title: 'Leave out which part? Tokens, part', rows, align: ['right'] })
}

export const slashPutBack: Command = {
  name: 'put-back',
  takes: '<#4>',
  about: 'Put back what was left out, by one of its numbers',
  run: async (context, rest) => {
    const seq = handleIn(rest)
    if (seq === undefined) return context.note('Name a message that was left out: /put-back #4', 'error')
    sayResult(context, await context.port.putBack(seq))
  },
}
