import { count, ifKnown, rate } from '../../engine/report/numbers.ts'
import type { ModelRow } from '../port/port-data.ts'
import type { Span } from '../state/line.ts'
import { type Command, say } from './command.ts'

export const slashModel: Command = {
  name: 'model',
  takes: '[provider/model]',
  about: 'Choose the model: window, price, whether it can be used',
  run: async (context, rest) => {
    const name = rest === '' ? await pickModel(context) : rest
    if (name !== undefined) say(context, await context.port.setModel(name))
  },
}

async function pickModel({ port, pick }: Parameters<Command['run']>[0]): Promise<string | undefined> {
  const rows = (await port.models()).map((row) => ({ value: row.name, cells: cellsOf(row) }))
  return pick({ title: 'Model', rows, align: ['left', 'right', 'right', 'right', 'left'] })
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
