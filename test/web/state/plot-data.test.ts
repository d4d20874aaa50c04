import { describe, expect, it } from 'vitest'
import type { WireContextHistory, WireParts } from '../../../src/contract/shapes/shapes.ts'
import { areasOf } from '../../../web/state/plot-data.ts'

const FIXED = { system: 0, tools: 0, instructions: 0, memory: 0, hidden: 0 }
const PARTS: WireParts = {
  ...FIXED,
  summary: 0,
  index: 0,
  user: 0,
  assistant: 0,
  tool_results: 0,
  reasoning: 0,
  images: 0,
}

function history(...tokens: number[]): WireContextHistory {
  const points = tokens.map((user, i) => ({ seq: i + 1, at: 1_000_000 * i, tokens: user, parts: { ...PARTS, user } }))
  return { points, marks: [] }
}

describe('areasOf', () => {
  it('the newest change has a width, in a short log less than to the next entry', () => {
    const [x, user = []] = areasOf(history(10, 500, 20)).data
    expect(x).toHaveLength(4)
    expect((x[3] ?? 0) - (x[2] ?? 0)).toBeGreaterThan(0)
    expect([...user]).toEqual([10, 500, 20, 20])
    expect(x[3]).toBeLessThan(4)
  })

  it('the newest change of a long log is as wide on the screen as that of a short one', () => {
    const [x] = areasOf(history(...Array.from({ length: 5_000 }, () => 1))).data
    const last = (x.at(-1) ?? 0) - (x.at(-2) ?? 0)
    expect(last / (x.at(-1) ?? 0)).toBeGreaterThan(0.01)
  })

  it('a session without a message has no areas', () => {
    expect(areasOf(history())).toEqual({ series: [], data: [[]] })
  })
})
