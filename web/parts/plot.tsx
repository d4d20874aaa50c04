import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { ContextHistory } from '../api/types.ts'
import { useApp } from '../state/app-context.ts'
import { colourOf } from '../state/colour.ts'
import { type Axis, areasOf } from '../state/plot-data.ts'
import { short } from '../text/numbers.ts'

/** Where the plot stands in its box, to lay things over it. */
export type PlotPlace = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly toX: (value: number) => number
}

type Props = {
  readonly history: ContextHistory
  readonly axis: Axis
  readonly fit: boolean
  readonly onOver: (index: number | undefined) => void
  readonly onEntry: (seq: number) => void
  readonly onPlace: (place: PlotPlace) => void
}

/** The canvas: areas by kind, lines for the window and the trigger. */
export function Plot({ history, axis, fit, onOver, onEntry, onPlace }: Props) {
  const { theme } = useApp()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef({ history, onEntry })
  latest.current = { history, onEntry }

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const { series, data } = areasOf(history, axis)
    const made = new uPlot(
      {
        ...sizeOf(element),
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: true, y: false } },
        padding: [14, 8, 0, 0],
        scales: { x: { time: axis === 'time' }, y: { range: [0, heightOf(history, fit)] } },
        axes: [axisStyle({ size: 26, gap: 3 }), axisStyle({ size: 46, gap: 3, values: (_, all) => all.map(short) })],
        series: [{}, ...series.map((area) => areaStyle(colourOf(area.kind)))],
        hooks: {
          draw: [(u) => limits(u, history)],
          setCursor: [(u) => onOver(u.cursor.idx ?? undefined)],
          setScale: [(u) => tellPlace(u)],
          setSize: [(u) => tellPlace(u)],
          ready: [(u) => tellPlace(u)],
        },
      },
      data,
      element,
    )
    plot.current = made
    made.over.addEventListener('click', () => openAt(made))
    const observer = new ResizeObserver(() => made.setSize(sizeOf(element)))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [theme, axis, fit, history])

  function openAt(u: uPlot): void {
    const point = latest.current.history.points[u.cursor.idx ?? -1]
    if (point !== undefined && point.seq > 0) latest.current.onEntry(point.seq)
  }

  function tellPlace(u: uPlot): void {
    const { left, top, width, height } = u.over.getBoundingClientRect()
    const from = u.root.getBoundingClientRect()
    onPlace({ left: left - from.left, top: top - from.top, width, height, toX: (value) => u.valToPos(value, 'x') })
  }

  return (
    <div class="plot" ref={box} role="img" aria-label="Tokens in the context by kind, from the first entry to now" />
  )
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: Math.max(200, element.clientWidth), height: Math.max(120, element.clientHeight) }
}

function heightOf({ points, window }: ContextHistory, fit: boolean): number {
  const most = Math.max(1, ...points.map((point) => point.tokens))
  return (fit ? most : Math.max(most, window ?? 0)) * 1.06
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

/** The window and the trigger as lines with their names. */
function limits(u: uPlot, { window, trigger }: ContextHistory): void {
  line(u, window, 'window', colourOf('danger'), [])
  line(u, trigger, 'trigger', colourOf('warn'), [5, 4])
}

function line(u: uPlot, tokens: number | undefined, name: string, colour: string, dash: number[]): void {
  if (tokens === undefined || tokens > (u.scales.y?.max ?? 0)) return
  const { ctx, bbox } = u
  const y = Math.round(u.valToPos(tokens, 'y', true)) + 0.5
  ctx.save()
  ctx.strokeStyle = colour
  ctx.lineWidth = uPlot.pxRatio
  ctx.setLineDash(dash.map((part) => part * uPlot.pxRatio))
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  label(ctx, `${name} ${short(tokens)}`, bbox.left + 6 * uPlot.pxRatio, y, colour)
  ctx.restore()
}

/** On a ground of its own, since the areas go up to the lines. */
function label(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  const unit = uPlot.pxRatio
  ctx.font = `${11 * unit}px system-ui, sans-serif`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.fillStyle = colourOf('surface')
  ctx.fillRect(x, y - 8 * unit, ctx.measureText(text).width + 8 * unit, 16 * unit)
  ctx.fillStyle = colour
  ctx.fillText(text, x + 4 * unit, y)
}
