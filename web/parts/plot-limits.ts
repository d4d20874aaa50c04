import uPlot from 'uplot'
import type { ContextHistory } from '../api/types.ts'
import { colourOf } from '../state/colour.ts'
import { short } from '../text/numbers.ts'

/** Draws the window and the trigger as lines with their names. */
export function drawLimits(u: uPlot, { window, trigger }: ContextHistory): void {
  line(u, window, 'window', colourOf('danger'), [])
  line(u, trigger, 'trigger', colourOf('warn'), [5, 4])
}

function line(u: uPlot, tokens: number | undefined, name: string, colour: string, dash: readonly number[]): void {
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
