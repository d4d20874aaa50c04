import { costText, count, dollars, ifKnown } from '../../engine/report/numbers.ts'
import type { Todo } from '../../model/types.ts'
import type { SessionSpending } from '../../session/account/spent-meter.ts'
import { type Line, line, type Span, table } from '../port/port.ts'
import { type Command, sayResult } from './command.ts'

export const slashTodo: Command = {
  name: 'todo',
  about: 'Show the to-do list of the agent',
  anytime: true,
  run: async ({ port, show, note }) => {
    const todos = await port.todos()
    if (todos.length === 0) note('The to-do list is empty.', 'muted')
    else show(todos.map(todoLine))
  },
}

export const slashCost: Command = {
  name: 'cost',
  about: 'Show what the session has cost so far',
  anytime: true,
  run: async ({ port, show }) => show(costLines(await port.spent())),
}

export const slashExport: Command = {
  name: 'export',
  takes: '[path]',
  about: 'Write the whole log to a file as JSON Lines; without a path, into the data folder',
  anytime: true,
  run: async (context, rest) => sayResult(context, await context.port.exportTo(rest === '' ? undefined : rest)),
}

const BOXES: Readonly<Record<Todo['status'], Span>> = {
  pending: ['☐', 'plain'],
  'in-progress': ['▶', 'accent'],
  done: ['☑', 'success'],
  cancelled: ['☒', 'muted'],
}

function todoLine({ text, status }: Todo): Line {
  return [BOXES[status], [` ${text}`, status === 'done' || status === 'cancelled' ? 'muted' : 'plain']]
}

const MISSING = ': the price of a model is missing'

function costLines(spent: SessionSpending): Line[] {
  const { cost, knownCost, calls, inputTokens, cacheReadTokens, outputTokens, compactions, compactionCost } = spent
  const rows: Span[][] = [
    [
      ['cost so far'],
      [costText(cost, { known: knownCost, unknown: 'not known' }) + (cost === undefined ? MISSING : ''), 'bold'],
    ],
    [['model calls'], [count(calls)]],
    [['input tokens'], [`${count(inputTokens)} (${count(cacheReadTokens)} from the cache)`]],
    [['output tokens'], [count(outputTokens)]],
    [['compactions made'], [`${count(compactions)} (${ifKnown(compactionCost, dollars)})`]],
  ]
  return [line('Cost', 'bold'), ...table(rows)]
}
