import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { expect, it } from 'vitest'
import { fitting, type Line, table } from '../../../src/tui/port/port.ts'

const textOf = (line: Line) => line.map(([text]) => text).join('')

it('columns are aligned by what a terminal shows, not by the number of characters', () => {
  const lines = table([
    [['日本語'], ['one']],
    [['👍🏽'], ['two']],
    [['plain'], ['three']],
  ]).map(textOf)
  expect(new Set(lines.map((line) => visibleWidth(line.slice(0, line.search(/one|two|three/))))).size).toBe(1)
})

it('a wide column leaves no room for the next', () => {
  expect(fitting([[['日本語日本語'], ['next'], ['last']]], 16)).toEqual([[['日本語日本語']]])
})
