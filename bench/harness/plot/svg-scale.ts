export type Axis = { readonly label: string; readonly scale?: 'linear' | 'log' }

/** The position of a value in the drawing, and the values that an axis is labelled with. */
export type AxisScale = {
  at(value: number): number
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}

/** The scale of an axis that holds all values. On a logarithmic one, values of 0 and less are drawn at its low end. */
export function axisScale(
  { scale }: Axis,
  values: readonly number[],
  [from, to]: readonly [number, number],
): AxisScale {
  const known = values.filter((value) => Number.isFinite(value) && (scale !== 'log' || value > 0))
  const least = known.length === 0 ? 1 : Math.min(...known)
  const most = known.length === 0 ? 10 : Math.max(...known)
  const ticks = scale === 'log' ? logTicks(least, most) : linearTicks(Math.min(0, least), most)
  const place = scale === 'log' ? Math.log10 : (value: number) => value
  const low = place(Math.min(least, ticks[0] ?? least))
  const high = place(Math.max(most, ticks.at(-1) ?? most))
  const at = (value: number) => {
    const share = (place(value) - low) / (high - low || 1)
    return from + (to - from) * (Number.isFinite(share) ? Math.max(0, share) : 0)
  }
  const inside = ticks.filter((tick) => scale === 'log' || tick >= Math.min(0, least))
  return { at, ticks: inside.map((value) => ({ value, text: tickText(value) })) }
}

/** Powers of ten; over less than two of them also 2 and 5 times them. */
function logTicks(least: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))]
  const steps = Math.log10(most / least) < 2 ? [1, 2, 5] : [1]
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i).flatMap((power) =>
    steps.map((step) => step * 10 ** power),
  )
  const below = all.findLastIndex((value) => value <= least * 1.001)
  const above = all.findIndex((value) => value >= most * 0.999)
  return all.slice(Math.max(0, below), above < 0 ? all.length : above + 1)
}

function linearTicks(least: number, most: number): number[] {
  const rough = (most - least || 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((times) => times * power).find((candidate) => candidate >= rough) ?? rough
  const first = Math.floor(least / step)
  return Array.from({ length: Math.ceil(most / step) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

function tickText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${short(value / 1e9)}G`
  if (size >= 1e6) return `${short(value / 1e6)}M`
  if (size >= 1e4) return `${short(value / 1e3)}k`
  return short(value)
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}
