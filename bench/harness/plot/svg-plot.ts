import { spread } from './spread.ts'
import { type Axis, type AxisScale, axisScale } from './svg-scale.ts'

/** Lines over a common x; drawn as SVG. */
export type Plot = {
  /** The file's name without its ending. */
  readonly name: string
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly PlotLine[]
}

export type PlotLine = { readonly label: string; readonly points: readonly (readonly [x: number, y: number])[] }

const [WIDTH, HEIGHT] = [820, 440]
const AREA = { left: 64, right: 560, top: 44, bottom: 388 }
const LABEL_HEIGHT = 15

/** Of middling lightness, so that they stand out on white and on black. */
const COLOURS = ['#3b82f6', '#e8750a', '#1f9d55', '#a35bf5', '#e0478c', '#0f9aa8', '#b08900', '#7c8794']
const INK = '#7f8792'

/** A plot as SVG without a background: lines with their names at the end, readable in light and in dark. */
export function svgPlot(plot: Plot): string {
  const all = plot.lines.flatMap(({ points }) => points)
  const x = axisScale(
    plot.x,
    all.map(([at]) => at),
    [AREA.left, AREA.right],
  )
  const y = axisScale(
    plot.y,
    all.map(([, at]) => at),
    [AREA.bottom, AREA.top],
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">
<title>${escaped(plot.title)}</title>
<text x="${AREA.left}" y="22" font-size="15" font-weight="600">${escaped(plot.title)}</text>
${grid(plot, x, y)}
${lines(plot, x, y)}
</svg>
`
}

function grid({ x: across, y: up }: Plot, x: AxisScale, y: AxisScale): string {
  const rules = [
    ...x.ticks.map((tick) => rule(x.at(tick.value), AREA.top, x.at(tick.value), AREA.bottom)),
    ...y.ticks.map((tick) => rule(AREA.left, y.at(tick.value), AREA.right, y.at(tick.value))),
  ]
  const names = [
    ...x.ticks.map(({ value, text }) => label(x.at(value), AREA.bottom + 18, text, 'middle')),
    ...y.ticks.map(({ value, text }) => label(AREA.left - 8, y.at(value) + 4, text, 'end')),
    label((AREA.left + AREA.right) / 2, HEIGHT - 12, across.label, 'middle'),
    label(AREA.left, AREA.top - 6, up.label, 'start'),
  ]
  return [...rules, ...names].join('\n')
}

function lines(plot: Plot, x: AxisScale, y: AxisScale): string {
  const drawn = plot.lines.filter(({ points }) => points.length > 0)
  const places = spread(
    drawn.map(({ points }) => y.at(points.at(-1)?.[1] ?? 0)),
    LABEL_HEIGHT,
    [AREA.top, AREA.bottom],
  )
  return drawn
    .map(({ label: name, points }, at) => {
      const colour = COLOURS[at % COLOURS.length]
      const path = points.map(([px, py]) => `${number(x.at(px))},${number(y.at(py))}`)
      const dots = path.map((point) => point.split(',')).map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3"/>`)
      const [end = '0', height = '0'] = path.at(-1)?.split(',') ?? []
      const place = number(places[at] ?? 0)
      return `<g fill="${colour}" stroke="none"><polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}
<path d="M${end} ${height}L${AREA.right + 12} ${place}" stroke="${colour}" stroke-opacity="0.6" stroke-dasharray="1 4" fill="none"/>
<text x="${AREA.right + 16}" y="${number(Number(place) + 4)}">${escaped(name)}</text></g>`
    })
    .join('\n')
}

function rule(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${number(x1)}" y1="${number(y1)}" x2="${number(x2)}" y2="${number(y2)}" stroke="${INK}" stroke-opacity="0.25"/>`
}

function label(x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${number(x)}" y="${number(y)}" text-anchor="${anchor}">${escaped(text)}</text>`
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
