import type { CellStyle, StyledPiece } from '../../test/tui/support/screen-terminal.ts'

/** A screen of a terminal, and how long it is shown. */
export type Frame = { readonly lines: readonly (readonly StyledPiece[])[]; readonly ms: number }

const CELL = { width: 8.4, height: 18, font: 14 }
const MARGIN = 14
// Colours of a terminal, readable on its own dark ground whatever the page around it has.
const GROUND = '#16181d'
const TEXT = '#d7dae0'
const PALETTE = [
  '#5c6370',
  '#e06c75',
  '#98c379',
  '#e5c07b',
  '#61afef',
  '#c678dd',
  '#56b6c2',
  '#d7dae0',
  '#7f848e',
  '#ef8b93',
  '#b1d995',
  '#f0d49a',
  '#82c4f7',
  '#d79be8',
  '#7fd1db',
  '#ffffff',
]

/** Frames as one animated picture without scripts: each line that ever stood is drawn once, and each frame puts lines in their rows. */
export function animatedSvg(frames: readonly Frame[], columns: number, title: string): string {
  const rows = Math.max(...frames.map(({ lines }) => lines.length))
  const size = [columns * CELL.width + 2 * MARGIN, rows * CELL.height + 2 * MARGIN].map(Math.ceil)
  const [width, height] = size
  const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0)
  const ids = new Map<string, string>()
  const drawn = frames.map(({ lines }) => lines.map((line) => idOf(ids, lineText(line))))
  let from = 0
  const groups = drawn.map((lines, n) => {
    const ms = frames[n]?.ms ?? 0
    const start = from
    from += ms
    const uses = lines.flatMap((id, row) => (id === undefined ? [] : [`<use href="#${id}" y="${row * CELL.height}"/>`]))
    // A reader that animates nothing shows the first frame.
    return `<g visibility="${n === 0 ? 'visible' : 'hidden'}">${shownFor(start, ms, totalMs)}${uses.join('')}</g>`
  })
  const defs = [...ids].map(([text, id]) => `<g id="${id}">${text}</g>`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${GROUND}" stroke="#7f848e" stroke-opacity=".5"/>`,
    `<defs>${defs.join('\n')}</defs>`,
    `<g transform="translate(${MARGIN} ${MARGIN + CELL.font})" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${CELL.font}" fill="${TEXT}">`,
    ...groups,
    '</g></svg>',
    '',
  ].join('\n')
}

/** One frame is shown while its time lasts; all of them share one clock that starts again at the end. */
function shownFor(start: number, ms: number, totalMs: number): string {
  const at = (time: number) => (time / totalMs).toFixed(5)
  const [values, times] =
    start === 0 ? ['visible;hidden', `0;${at(ms)}`] : ['hidden;visible;hidden', `0;${at(start)};${at(start + ms)}`]
  return `<animate attributeName="visibility" calcMode="discrete" dur="${totalMs}ms" repeatCount="indefinite" values="${values}" keyTimes="${times}"/>`
}

function idOf(ids: Map<string, string>, text: string): string | undefined {
  if (text === '') return undefined
  const known = ids.get(text) ?? `l${ids.size}`
  ids.set(text, known)
  return known
}

function lineText(line: readonly StyledPiece[]): string {
  return line.map(pieceText).join('')
}

function pieceText({ at, text, style }: StyledPiece): string {
  const { color, background } = colorsOf(style)
  const x = round(at * CELL.width)
  const wide = round(text.length * CELL.width)
  const ground =
    background === undefined
      ? ''
      : `<rect x="${x}" y="${-CELL.font}" width="${wide}" height="${CELL.height}" fill="${background}"/>`
  if (text.trim() === '') return ground
  const spaces = text.length - text.trimStart().length
  const shown = text.trim()
  const attributes = [
    `x="${round((at + spaces) * CELL.width)}"`,
    `textLength="${round([...shown].length * CELL.width)}"`,
    ...(color === undefined ? [] : [`fill="${color}"`]),
    ...(style.isBold ? ['font-weight="bold"'] : []),
    ...(style.isItalic ? ['font-style="italic"'] : []),
    ...(style.isDim ? ['opacity=".7"'] : []),
  ]
  return `${ground}<text ${attributes.join(' ')}>${escaped(shown)}</text>`
}

function colorsOf({ color, background, isInverse }: CellStyle): { color?: string; background?: string } {
  const [front, back] = [hexOf(color), hexOf(background)]
  if (isInverse) return { color: back ?? GROUND, background: front ?? TEXT }
  return { ...(front === undefined ? {} : { color: front }), ...(back === undefined ? {} : { background: back }) }
}

function hexOf(color: number | string | undefined): string | undefined {
  if (color === undefined || typeof color === 'string') return color
  if (color < 16) return PALETTE[color]
  if (color >= 232) return grey(8 + (color - 232) * 10)
  const level = (n: number) => (n === 0 ? 0 : 55 + n * 40)
  const n = color - 16
  return rgb(level(Math.floor(n / 36)), level(Math.floor(n / 6) % 6), level(n % 6))
}

function grey(value: number): string {
  return rgb(value, value, value)
}

function rgb(...parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Text of an element; spaces in a row, which would be one, stay as many as they are. */
function escaped(text: string): string {
  return text
    .replaceAll(/ {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
