import type { Line, Tone } from '../port/port.ts'

export type ThemeName = 'dark' | 'light' | 'none'

/** How a screen is painted. */
export type Theme = { readonly name: ThemeName; readonly paint: (text: string, tone: Tone) => string }

/** Numbers of the 256-colour palette above 15. Their colours are fixed, so a test can compute the contrast. */
export const COLORS: Readonly<Record<'dark' | 'light', Readonly<Partial<Record<Tone, number>>>>> = {
  dark: {
    muted: 246,
    accent: 117,
    hint: 117,
    bar: 75,
    warning: 221,
    critical: 210,
    error: 210,
    success: 114,
    added: 114,
    removed: 210,
    code: 180,
    user: 117,
  },
  light: {
    muted: 241,
    accent: 25,
    hint: 25,
    bar: 25,
    warning: 94,
    critical: 124,
    error: 124,
    success: 22,
    added: 22,
    removed: 124,
    code: 54,
    user: 25,
  },
}

const BOLD: ReadonlySet<Tone> = new Set(['bold', 'critical', 'user'])
const ITALIC: ReadonlySet<Tone> = new Set(['hint'])

export function themeOf(name: ThemeName): Theme {
  return { name, paint: (text, tone) => painted(text, codesOf(name, tone)) }
}

/** A line with its colours. */
export function paintLine(line: Line, theme: Theme): string {
  return line.map(([text, tone = 'plain']) => theme.paint(text, tone)).join('')
}

/** The theme for a setting. `auto` follows the terminal's background, and is dark if that is not known. */
export function themeName(setting: string, env: NodeJS.ProcessEnv, isLight = lightBackground(env)): ThemeName {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return 'none'
  if (setting === 'dark' || setting === 'light' || setting === 'none') return setting
  return isLight ? 'light' : 'dark'
}

/** `COLORFGBG` ends with the number of the background colour; 7 and 15 are light. */
function lightBackground({ COLORFGBG = '' }: NodeJS.ProcessEnv): boolean {
  return /;(?:7|15)$/.test(COLORFGBG)
}

function codesOf(name: ThemeName, tone: Tone): string[] {
  const color = name === 'none' ? undefined : COLORS[name][tone]
  return [
    ...(BOLD.has(tone) ? ['1'] : []),
    ...(ITALIC.has(tone) ? ['3'] : []),
    ...(color === undefined ? [] : [`38;5;${color}`]),
  ]
}

function painted(text: string, codes: readonly string[]): string {
  return codes.length === 0 || text === '' ? text : `\x1b[${codes.join(';')}m${text}\x1b[0m`
}
