import { expect, it } from 'vitest'
import { Picker } from '../../../src/tui/parts/picker.ts'
import { themeOf } from '../../../src/tui/parts/theme.ts'

function picker(current?: string, screenRows = 22) {
  const rows = Array.from({ length: 30 }, (_, i) => ({ value: `m${i}`, cells: [[`model ${i}`]] as const }))
  const picked: string[] = []
  const list = new Picker({
    theme: () => themeOf('none'),
    space: () => screenRows,
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

it.each([20, 40, 80])('says how to leave it if %i columns allow that, and cuts nothing', (width) => {
  const [title] = picker().list.render(width)
  expect(title).toMatch(/^Model {2}.*Esc leaves$/)
})

it('takes no more rows than the screen has, but always some to choose from', () => {
  for (const rows of [13, 9]) expect(picker('m17', rows).list.render(40).length).toBeLessThanOrEqual(rows)
  expect(
    picker('m17', 4)
      .list.render(40)
      .map((line) => line.trimEnd()),
  ).toContain('› model 17')
})

it('shows all of the row that would be taken if its line is cut', () => {
  const rows = [
    { value: 'a', cells: [['only the files'], ['you go on from here, with the files of then']] as const },
    { value: 'b', cells: [['all'], ['short']] as const },
  ]
  const screen = { theme: () => themeOf('none'), space: () => 22 }
  const list = new Picker({ ...screen, title: 'Back', rows, onPick: () => {}, onCancel: () => {} })
  const shown = (width: number) => list.render(width).map((line) => line.trimEnd())
  expect(shown(40).slice(-2)).toEqual(['    you go on from here, with the files', '    of then'])
  expect(shown(80).at(-1)).toContain('all')
  list.handleInput('\x1b[B')
  expect(shown(40).at(-1)).toContain('short')
})
