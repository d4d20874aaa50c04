import { describe, expect, it } from 'vitest'
import { renderWithin, type Snippet } from '../../../../src/engine/record/digest/render-within.ts'

const LENGTHS = [8, 4, 2]
const snippets = (count: number): Snippet[] =>
  Array.from({ length: count }, (_, i) => ({ priority: i, render: (level) => String(i).repeat(LENGTHS[level] ?? 0) }))
const rendered = (count: number, room: number) =>
  renderWithin(snippets(count), LENGTHS.length, room, (text) => text.length)

describe('snippets rendered into a budget', () => {
  it('are all whole if there is room for them', () => {
    expect(rendered(3, 27)).toEqual({ lines: ['00000000', '11111111', '22222222'], left: 0, cost: 27 })
  })

  it('are all shown, those of the highest priority at more length', () => {
    expect(rendered(3, 24).lines).toEqual(['0000', '1111', '22222222'])
  })

  it('are shown in their shortest form before any is left out, and then the lowest priority is', () => {
    expect(rendered(3, 9).lines).toEqual(['00', '11', '22'])
    expect(rendered(3, 8)).toMatchObject({ lines: ['11', '22'], left: 1 })
    expect(rendered(3, 0)).toEqual({ lines: [], left: 3, cost: 0 })
  })
})
