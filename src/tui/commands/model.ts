import { count, ifKnown, rate } from '../../engine/report/numbers.ts'
import type { ModelRow, Span } from '../port/port.ts'
import { type Command, type CommandContext, sayResult } from './command.ts'

export const slashModel: Command = {
  name: 'model',
  takes: '[provider/model]',
  about: 'Choose the model: window, price, whether it can be used; asks for a key that is missing',
  run: async (context, rest) => {
    const name = rest === '' ? await pickModel(context) : rest
    if (name === undefined) return
    const change = await context.port.setModel(name)
    sayResult(context, change)
    if (change.needsKey === undefined) return
    if (await storedKey(context, change.needsKey)) sayResult(context, await context.port.setModel(name))
  },
}

/** Asks for the key of a provider, and stores it. */
async function storedKey(context: CommandContext, provider: string): Promise<boolean> {
  const { port, secret } = context
  const key = await secret(`Key for ${provider}`)
  if (key === undefined || key === '') return false
  const stored = await port.setKey(provider, key)
  sayResult(context, stored)
  return stored.ok
}

async function pickModel({ port, pick, state }: CommandContext): Promise<string | undefined> {
  const rows = (await port.models()).map((row) => ({ value: row.name, cells: cellsOf(row) }))
  return pick({ title: 'Model', rows, align: ['left', 'right', 'right', 'right', 'left'], current: state().model })
}

function cellsOf({ name, window, inputPrice, outputPrice, usable, why }: ModelRow): Span[] {
  return [
    [name],
    [ifKnown(window, count)],
    [ifKnown(inputPrice, rate), 'muted'],
    [ifKnown(outputPrice, rate), 'muted'],
    usable ? ['usable', 'success'] : [why ?? 'not usable', 'muted'],
  ]
}
