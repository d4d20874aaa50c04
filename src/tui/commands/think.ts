import type { Span } from '../port/port.ts'
import { type Command, sayResult } from './command.ts'

export const slashThink: Command = {
  name: 'think',
  takes: '[level]',
  about: 'How much the model thinks: auto, off, low, medium, high',
  anytime: true,
  run: async (context, rest) => {
    const { port, pick, state } = context
    const { model, thinking = 'auto' } = state()
    const list = { title: `${model} thinks: ${thinking}`, rows: LEVELS, current: thinking }
    const level = rest === '' ? await pick(list) : rest
    if (level !== undefined) sayResult(context, await port.think(level))
  },
}

const LEVELS: readonly { value: string; cells: readonly Span[] }[] = [
  { value: 'auto', cells: [['auto'], ['the provider’s default', 'muted']] },
  { value: 'off', cells: [['off'], ['not at all, if the model can', 'muted']] },
  { value: 'low', cells: [['low'], ['a little', 'muted']] },
  { value: 'medium', cells: [['medium'], ['some', 'muted']] },
  { value: 'high', cells: [['high'], ['much: slower, and more tokens', 'muted']] },
]
