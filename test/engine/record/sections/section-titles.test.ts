import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../../../src/engine/record/sections/section-titles.ts'

describe('the sections of a summary', () => {
  it('are the lines under each heading', () => {
    expect(sectionsOf('## Goal\nA parser.\n\n## Done\n- one\n- two\n')).toEqual([
      { title: 'Goal', lines: ['A parser.'] },
      { title: 'Done', lines: ['- one', '- two'] },
    ])
  })

  it('begin with a text that has no heading', () => {
    expect(sectionsOf('\nfirst\n## Goal\nA parser.')[0]).toEqual({ title: '', lines: ['first'] })
  })

  it('keep headings of other levels as lines', () => {
    expect(sectionsOf('## Goal\n### Detail\n# Title')).toEqual([{ title: 'Goal', lines: ['### Detail', '# Title'] }])
  })

  it('are none in an empty text', () => {
    expect(sectionsOf(' \n\n')).toEqual([])
  })
})
