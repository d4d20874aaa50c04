import { describe, expect, it } from 'vitest'
import { factLinesIn, quotedLines } from '../../../../src/engine/extract/text/fact-lines.ts'

describe('the lines of an output that state a value', () => {
  it('are settings with a number, and sentences with a number, a version, an error code or an address', () => {
    expect(factLinesIn('const port = 5432\nimport { a } from "a"\nreturn a')).toEqual(['const port = 5432'])
    expect(factLinesIn('  // Each shard holds at most 4096 rows.\n  run(rows, 4096)')).toEqual([
      'Each shard holds at most 4096 rows.',
    ])
    expect(factLinesIn('retries: 12')).toEqual(['retries: 12'])
    expect(factLinesIn('added 3 packages\nnode v22.19.0 is required')).toEqual(['node v22.19.0 is required'])
    expect(factLinesIn('connect failed: ECONNREFUSED')).toEqual(['connect failed: ECONNREFUSED'])
    expect(factLinesIn('Listening on https://staging.acme.dev/v2')).toEqual([
      'Listening on https://staging.acme.dev/v2',
    ])
  })

  it('are quoted without the number of the line that a tool prints before them', () => {
    expect(factLinesIn('   12→const port = 5432')).toEqual(['const port = 5432'])
    expect(factLinesIn('src/db.ts:12:const port = 5432')).toEqual(['const port = 5432'])
  })

  it('are not those of a list or of a pattern, and at most three', () => {
    const list = Array.from({ length: 4 }, (_, i) => `ok  the queue drains  ${i + 20} ms`).join('\n')
    expect(factLinesIn(list)).toEqual([])
    expect(factLinesIn(`${list}\nthe pool has 250 workers`)).toEqual(['the pool has 250 workers'])
    const many = ['one = 11', '"two": 22,', 'three has 33 rows', 'four, in 44 rows: more', 'five is at 5.5.5']
    expect(factLinesIn(many.join('\n'))).toHaveLength(3)
  })

  it('are not code, long lines, or names with digits', () => {
    const code = 'const kept = rows.filter((row) => row.size > 250)\nexport function queue250(rows: Row[]): number {'
    expect(factLinesIn(code)).toEqual([])
    expect(factLinesIn(`the pool has 250 workers ${'and more '.repeat(30)}`)).toEqual([])
    expect(factLinesIn('the helper of sha256sum is new')).toEqual([])
    expect(factLinesIn(' src/upload.ts | 11 ++++++-----')).toEqual([])
    expect(factLinesIn('running = 0')).toEqual([])
  })

  it('are read again from the note of masked output, and from nothing after it', () => {
    const lines = ['port = 5432', 'list[0] = 250']
    const note = `[masked to save context: 900 characters, recall #3; names in it: a.ts${quotedLines(lines)}]`
    expect(factLinesIn(note)).toEqual(lines)
    expect(factLinesIn(`Exit code 0\n${note}`)).toEqual(lines)
  })
})
