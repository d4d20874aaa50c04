import uPlot from 'uplot'
import type { WireContextHistory } from '../../../src/contract/shapes/shapes.ts'
import { short } from '../../../src/engine/report/numbers.ts'
import { colourOf } from '../../state/colour.ts'

/** Draws the window and the trigger as lines with their names. */
export function drawLimits(u: uPlot, { window, trigger }: WireContextHistory): void {
  const used = line(u, window, { name: 'window', colour: colourOf('danger'), dash: [], from: 0 })
  const isNear = Math.abs(heightAt(u, window) - heightAt(u, trigger)) < LABEL_HEIGHT * uPlot.pxRatio
  line(u, trigger, { name: 'trigger', colour: colourOf('warn'), dash: [5, 4], from: isNear ? used : 0 })
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
