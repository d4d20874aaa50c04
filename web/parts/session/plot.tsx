import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { WireContextHistory } from '../../../src/contract/shapes/shapes.ts'
import { short } from '../../../src/engine/report/numbers.ts'
import { useApp } from '../../hooks/app-context.ts'
import { areasOf } from '../../state/plot-data.ts'

/** Draws the window and the trigger as lines with their names. */
function drawLimits(u: uPlot, { window, trigger }: WireContextHistory): void {
  const used = line(u, window, { name: 'window', colour: colourOf('danger'), dash: [], from: 0 })
  const isNear = Math.abs(heightAt(u, window) - heightAt(u, trigger)) < LABEL_HEIGHT * uPlot.pxRatio
  line(u, trigger, { name: 'compacts from', colour: colourOf('warn'), dash: [5, 4], from: isNear ? used : 0 })
}

const LABEL_HEIGHT = 16
/** The background of a label is translucent, so that the areas behind it stay visible. */
const LABEL_GROUND = 0.75

type Style = {
  readonly name: string
  readonly colour: string
  readonly dash: readonly number[]
  /** The left end of the label: lines close to each other have their labels side by side. */
  readonly from: number
}

function heightAt(u: uPlot, tokens: number | undefined): number {
  return tokens === undefined ? Number.NaN : u.valToPos(tokens, 'y', true)
}

/** Draws one line; returns where its label ends. */
function line(u: uPlot, tokens: number | undefined, { name, colour, dash, from }: Style): number {
  if (tokens === undefined || tokens > (u.scales.y?.max ?? 0)) return 0
  const { ctx, bbox } = u
  const y = Math.round(heightAt(u, tokens)) + 0.5
  ctx.save()
  ctx.strokeStyle = colour
  ctx.lineWidth = uPlot.pxRatio
  ctx.setLineDash(dash.map((part) => part * uPlot.pxRatio))
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  const width = label(ctx, `${name} ${short(tokens)}`, bbox.left + from + 6 * uPlot.pxRatio, y, colour)
  ctx.restore()
  return from + width + 6 * uPlot.pxRatio
}

/** Draws a label on a background of its own, since the areas reach up to the lines. */
function label(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): number {
  const unit = uPlot.pxRatio
  ctx.font = `${11 * unit}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.fillStyle = colourOf('surface')
  const width = ctx.measureText(text).width + 8 * unit
  ctx.globalAlpha = LABEL_GROUND
  ctx.fillRect(x, y - (LABEL_HEIGHT / 2) * unit, width, LABEL_HEIGHT * unit)
  ctx.globalAlpha = 1
  ctx.fillStyle = colour
  ctx.fillText(text, x + 4 * unit, y)
  return width
}

/** The position of the plot in its box, for elements that are drawn over it. */
export type PlotPlace = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly toX: (value: number) => number
}

type Props = {
  readonly history: WireContextHistory
  readonly onOver: (index: number | undefined) => void
  readonly onEntry: (seq: number) => void
  readonly onPlace: (place: PlotPlace) => void
}

/** A longer way between press and release is a selection, not a click. */
const CLICK_PIXELS = 3
/** The steps between labels on the axis of entries: whole numbers, because there is no entry 1.5. */
const WHOLE_STEPS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].flatMap((ten) => [ten, 2 * ten, 5 * ten])

/** The canvas: areas by kind, lines for window and trigger. Dragging zooms in, a double click zooms out. */
export function Plot(props: Props) {
  const { history } = props
  const { theme } = useApp()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const areas = areasOf(history)
  const kinds = areas.series.map(({ kind }) => kind).join()

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const made = new uPlot(
      optionsOf(element, () => latest.current),
      areas.data,
      element,
    )
    plot.current = made
    openByClick(made, () => latest.current)
    const observer = new ResizeObserver(() => made.setSize(sizeOf(element)))
    observer.observe(element)
    return () => {
      plot.current = undefined
      observer.disconnect()
      made.destroy()
    }
  }, [theme, kinds])

  // New points do not reset the zoom.
  useEffect(() => plot.current?.setData(areas.data, !isCloser(plot.current)), [history])

  return (
    <div class="plot" ref={box} role="img" aria-label="Tokens in the context by kind, from the first entry to now" />
  )
}

function optionsOf(element: HTMLElement, now: () => Props): uPlot.Options {
  const { history } = now()
  const reportPlace = (u: uPlot) => now().onPlace(placeOf(u))
  return {
    ...sizeOf(element),
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
    padding: [14, 22, 0, 0],
    scales: { x: { time: false }, y: { range: () => [0, heightOf(now())] } },
    axes: [
      axisStyle({ size: 26, gap: 3, incrs: WHOLE_STEPS }),
      axisStyle({ size: 46, gap: 3, values: (_, all) => all.map((tokens) => tokensLabel(tokens, now())) }),
    ],
    series: [{}, ...areasOf(history).series.map((area) => areaStyle(colourOf(area.kind)))],
    hooks: {
      draw: [(u) => drawLimits(u, now().history)],
      setCursor: [(u) => now().onOver(pointAt(u, now()))],
      setScale: [reportPlace],
      setSize: [reportPlace],
      ready: [reportPlace],
    },
  }
}

function openByClick({ over, cursor }: uPlot, now: () => Props): void {
  let pressedAt = 0
  over.addEventListener('mousedown', (event) => {
    pressedAt = event.clientX
  })
  over.addEventListener('click', (event) => {
    const point = now().history.points[pointAt({ cursor }, now()) ?? -1]
    if (point !== undefined && Math.abs(event.clientX - pressedAt) <= CLICK_PIXELS) now().onEntry(point.seq)
  })
}

/** The point under the cursor. The end of the last step belongs to the last point. */
function pointAt({ cursor }: Pick<uPlot, 'cursor'>, { history }: Props): number | undefined {
  return cursor.idx == null ? undefined : Math.min(cursor.idx, history.points.length - 1)
}

function isCloser({ data, scales }: uPlot): boolean {
  const [x] = data
  return (scales.x?.min ?? 0) > (x[0] ?? 0) || (scales.x?.max ?? 0) < (x.at(-1) ?? 0)
}

function placeOf(u: uPlot): PlotPlace {
  const { left, top, width, height } = u.over.getBoundingClientRect()
  const from = u.root.getBoundingClientRect()
  return { left: left - from.left, top: top - from.top, width, height, toX: (value) => u.valToPos(value, 'x') }
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: Math.max(200, element.clientWidth), height: Math.max(120, element.clientHeight) }
}

/** Without points the scale means nothing: it has no labels. */
function tokensLabel(tokens: number, { history }: Props): string {
  return history.points.length === 0 ? '' : short(tokens)
}

function heightOf({ history: { points, window } }: Props): number {
  const most = points.reduce((max, point) => Math.max(max, point.tokens), 1)
  return Math.max(most, window ?? 0) * 1.06
}

function axisStyle(own: Partial<uPlot.Axis>): uPlot.Axis {
  const line = { stroke: colourOf('line'), width: 1 }
  return {
    stroke: colourOf('soft'),
    font: '11px system-ui, sans-serif',
    grid: line,
    ticks: { ...line, size: 3 },
    ...own,
  }
}

function areaStyle(colour: string): uPlot.Series {
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  return { fill: colour, stroke: colour, width: 0, points: { show: false }, ...(stepped && { paths: stepped }) }
}

/** A colour of the palette in the current theme. */
function colourOf(name: string): string {
  return getComputedStyle(document.documentElement)
    .getPropertyValue(`--${name.replaceAll('_', '-')}`)
    .trim()
}
