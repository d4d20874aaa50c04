import { describe, expect, it } from 'vitest'
import { COLORS, GROUNDS, themeName, themeOf } from '../../../src/tui/parts/theme.ts'
import { ready, start } from '../support/fixture.ts'
import { replies, talk } from '../support/talk.ts'

type Rgb = readonly [number, number, number]

/** Backgrounds that terminals have by default, from the kindest to the least kind. */
const BACKGROUNDS: Readonly<Record<'dark' | 'light', readonly Rgb[]>> = {
  dark: [
    [0, 0, 0],
    [30, 30, 30],
    [40, 44, 52],
  ],
  light: [
    [255, 255, 255],
    [250, 244, 230],
  ],
}

const cases = (['dark', 'light'] as const).flatMap((theme) =>
  Object.entries(COLORS[theme]).map(([tone, color]) => ({ theme, tone, color })),
)

describe('themes', () => {
  it.each(cases)('$theme: $tone can be read on every background', ({ theme, color }) => {
    // 4.5 is what WCAG 2 asks of text.
    for (const background of BACKGROUNDS[theme]) expect(contrast(paletteColor(color), background)).toBeGreaterThan(4.5)
  })

  it.each(['dark', 'light'] as const)('%s: the code of a diff can be read on the background of its line', (theme) => {
    const { added, removed, plain, muted } = GROUNDS[theme]
    const { keyword = 0, string = 0, number = 0, ...signs } = COLORS[theme]
    for (const [ground, sign = 0] of [
      [added, signs.added],
      [removed, signs.removed],
    ] as const) {
      for (const color of [plain, muted, keyword, string, number, sign])
        expect(contrast(paletteColor(color), paletteColor(ground)), `${color} on ${ground}`).toBeGreaterThan(4.5)
    }
  })

  it('none has no colours at all', () => {
    for (const tone of ['muted', 'error', 'hint', 'bar'] as const) {
      expect(themeOf('none').paint('x', tone)).not.toContain('38;5')
    }
    expect(themeOf('none').paint('x', 'plain', 'added-word')).toBe('\x1b[1;4mx\x1b[0m')
  })

  it('NO_COLOR wins, then the setting, then what the terminal says', () => {
    expect(themeName('dark', { NO_COLOR: '1' })).toBe('none')
    expect(themeName('light', {})).toBe('light')
    expect(themeName('auto', { COLORFGBG: '0;15' })).toBe('light')
    expect(themeName('auto', { COLORFGBG: '15;0' })).toBe('dark')
    expect(themeName('auto', {}, true)).toBe('light')
  })

  it('with NO_COLOR nothing on the screen has a colour', async () => {
    const { at } = await ready(replies('A **bold** `word`.'), { window: 10_000 })
    await at.session(talk(2, 7_500))
    const program = start(at, { open: { kind: 'continue' }, env: { NO_COLOR: '1' } })
    await program.sees('75.00%')
    await program.send('hello')
    await program.sees('A bold word.')
    expect(program.terminal.written).not.toMatch(/\x1b\[[\d;]*(?:3[0-8]|9\d)[;m]/)
  })
})

/** The colour that a number of the fixed palette is. */
function paletteColor(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return [grey, grey, grey]
  }
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40)
  const cube = index - 16
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]
}

function contrast(a: Rgb, b: Rgb): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
