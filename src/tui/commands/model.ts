import { count } from '../../engine/report/numbers.ts'
import type { Span } from '../parts/line.ts'
import type { ModelRow } from '../port-data.ts'
import { type Command, say } from './command.ts'

export const model: Command = {
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

/** What is not known is a question mark, never a number. */
function cellsOf({ name, window, inputPrice, outputPrice, usable, why }: ModelRow): Span[] {
  return [
    [name],
    [window === undefined ? '?' : count(window)],
    [inputPrice === undefined ? '?' : `$${inputPrice.toFixed(2)}`, 'muted'],
    [outputPrice === undefined ? '?' : `$${outputPrice.toFixed(2)}`, 'muted'],
    usable ? ['usable', 'success'] : [why ?? 'not usable', 'muted'],
  ]
}
