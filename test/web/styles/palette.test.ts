import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const css = readFileSync(resolve(import.meta.dirname, '../../../web/styles/palette.css'), 'utf8')

/** Text colours with the backgrounds that they have anywhere in the web inspector. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  text: ['ground', 'surface', 'raised', 'accent-ground'],
  soft: ['ground', 'surface', 'raised', 'accent-ground'],
  accent: ['ground', 'surface', 'raised', 'accent-ground'],
  'on-accent': ['accent'],
  danger: ['ground', 'surface', 'raised', 'danger-ground'],
  warn: ['ground', 'surface', 'raised', 'warn-ground'],
  good: ['ground', 'surface', 'raised'],
}

describe.each(['dark', 'light'])('the %s palette', (theme) => {
  const colours = coloursOf(theme)

  it.each(Object.keys(PAIRS))('has contrast for text in %s (WCAG AA, 4.5 to 1)', (name) => {
    for (const ground of PAIRS[name] ?? [])
      expect(contrast(colours.get(name), colours.get(ground)), `${name} on ${ground}`).toBeGreaterThanOrEqual(4.5)
  })
})

it('the palettes have the same names, and no other file has a colour', () => {
  expect([...coloursOf('light').keys()]).toEqual([...coloursOf('dark').keys()])
  const others = ['base', 'controls', 'frame', 'list', 'session', 'log', 'compaction']
  for (const name of others) {
    const text = readFileSync(resolve(import.meta.dirname, `../../../web/styles/${name}.css`), 'utf8')
    expect(text, name).not.toMatch(/#[0-9a-f]{3,8}\b/i)
  }
})

function coloursOf(theme: string): Map<string, string> {
  const block = css.split(`[data-theme="${theme}"]`)[1]?.split('}')[0] ?? ''
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1] ?? '', match[2] ?? '']))
}

function contrast(one = '#000000', other = '#000000'): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
