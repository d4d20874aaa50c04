import type { Span } from '../port/port.ts'
import type { Command } from './command.ts'

export const slashTheme: Command = {
  name: 'theme',
  takes: '[name]',
  about: 'Change the colours of this terminal: auto, dark, light, none',
  anytime: true,
  run: async ({ pick, note, setTheme }, rest) => {
    const name = rest === '' ? await pick({ title: 'Colours', rows: THEMES }) : rest
    if (name === undefined) return
    if (!THEMES.some(({ value }) => value === name))
      return note(`There is no theme ${name}: auto, dark, light, none`, 'error')
    await setTheme(name)
    note(`The colours are ${name}; pith config set theme ${name} keeps them.`)
  },
}

const THEMES: readonly { readonly value: string; readonly cells: readonly Span[] }[] = [
  { value: 'auto', cells: [['auto'], ['by the background of the terminal', 'muted']] },
  { value: 'dark', cells: [['dark'], ['for a dark background', 'muted']] },
  { value: 'light', cells: [['light'], ['for a light background', 'muted']] },
  { value: 'none', cells: [['none'], ['without colours', 'muted']] },
]
