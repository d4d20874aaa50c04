import { expect, it } from 'vitest'
import { Picker } from '../../../src/tui/parts/picker.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'

function picker(current?: string) {
  const rows = Array.from({ length: 30 }, (_, i) => ({ value: `m${i}`, cells: [[`model ${i}`]] as const }))
  const picked: string[] = []
  const list = new Picker({
    theme: () => themeOf('none'),
    title: 'Model',
    rows,
    ...(current === undefined ? {} : { current }),
    onPick: (value) => picked.push(value),
    onCancel: () => {},
  })
  return { list, picked }
}

it.each([
  ['m17', '› model 17'],
  ['unknown', '› model 0'],
  [undefined, '› model 0'],
])('a list starts at the current row: %s', (current, row) => {
  const { list, picked } = picker(current)
  expect(list.render(40).map((line) => line.trimEnd())).toContain(row)
  list.handleInput('\r')
  expect(picked).toEqual([row.replace('› model ', 'm')])
})
