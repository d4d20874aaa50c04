import { describe, expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../../../src/engine/extract/index-delta.ts'
import { codeNamesIn, seenNames } from '../../../../src/engine/extract/text/seen-names.ts'
import { renderIndex } from '../../../../src/engine/record/index/render-index.ts'
import { mergeIndexes, withoutEntries } from '../../../../src/model/facts/log-index.ts'
import type { Message } from '../../../../src/model/types.ts'
import { call, result, user } from '../../../support/messages.ts'

const itemsOf = (messages: readonly Message[]) => viewOf(logOf(messages)).items.slice()
const budget = { indexTokens: 0, userTokens: 0 }
const read = (id: string, path: string, text: string): Message[] => [
  call(id, 'read', { path }),
  result(id, text, 'read'),
]
const conversation = [
  user('Look at the parser.'),
  ...read('a', 'src/parser/dates.ts', 'function parseDate() {}\nfunction formatDate() {}'),
  call('b', 'bash', { command: 'grep -rn parseZone src' }),
  result('b', 'src/zones.ts: parseZone(zoneTable)', 'bash'),
]

it('colours of a terminal are not part of a name', () => {
  const output = '\u001b[32mAppModule\u001b[39m started, \u001b[31mTest failed'
  const items = itemsOf([call('a', 'bash', { command: 'run' }), result('a', output, 'bash')])
  expect(seenNames(items).flatMap(({ names }) => names)).toEqual(['AppModule'])
})

describe('names in a text', () => {
  it('are those as in code and of files, not words of a language', () => {
    const text = 'The parser calls parseDate and read_all in old-date-parser, see dates.ts. Nothing else happens here.'
    expect(codeNamesIn(text)).toEqual(['parseDate', 'read_all', 'old-date-parser', 'dates.ts'])
  })

  it('have their members with them, and may begin with a digit', () => {
    const names = ['parser.add_argument', 'shadowRef.Hash', 'tui.ts', '0009-keep-the-schema.md', 'dataset.eval.jsonl']
    expect(codeNamesIn(`${names.join(', ')} and 12.5 of 300`)).toEqual(names)
  })

  it('are not keys, hashes, pieces of base64 or halves of a very long word', () => {
    const keys = 'EoIGCkYICxgCKkCfw qQodpcV0qCsC3VHKKukEwxrdJSq1 0a1b2c3d4e5f msg_01TSymwYo2xztF6Bg2rieiv9 Kj9c7wGErI4Q'
    expect(codeNamesIn(keys)).toEqual([])
    expect(codeNamesIn(`handle${'Underscore'.repeat(10)}`)).toEqual([])
    const names = ['getUserById', 'sha256Sum', 'base64Encode', 'utf8ToUtf16', 'x86_64-linux-gnu', 'TestIsOpen_NoError']
    expect(codeNamesIn(names.join(' '))).toEqual(names)
  })

  it('are whole: no half of an escape or of a pattern', () => {
    expect(codeNamesIn(String.raw`printf("\nOutputLine") *_test.go`)).toEqual([])
  })
})

describe('names that were seen', () => {
  it('are those of calls before those of results, the newest first', () => {
    const seen = seenNames(itemsOf(conversation))
    expect(seen.map(({ names }) => names)).toEqual([
      ['parseZone'],
      ['dates.ts'],
      ['zones.ts', 'zoneTable'],
      ['parseDate', 'formatDate'],
    ])
  })

  it('are listed in the index under the file that they were seen in, each once', () => {
    const index = mergeIndexes([factsIn(itemsOf(conversation))])
    const [section = ''] = renderIndex(index, { ...budget, nameTokens: 200 })
    expect(section).toMatch(/^## Names in calls and results\n/)
    expect(section).toContain('parser/dates.ts: parseDate, formatDate')
    expect(section.match(/parseZone/g)).toHaveLength(1)
    expect(renderIndex(index, budget)).toEqual([])
  })

  it('are kept over several compactions, a name that is used again at its last place', () => {
    const early = seenNames(itemsOf(conversation))
    const later = [{ seq: 90, names: ['formatDate'], used: true }]
    const { seen = [] } = mergeIndexes([{ seen: early }, { seen: later }])
    expect(seen[0]).toEqual({ seq: 90, names: ['formatDate'], used: true })
    expect(seen.flatMap(({ names }) => names).filter((name) => name === 'formatDate')).toHaveLength(1)
    expect(seen.flatMap(({ names }) => names)).toContain('parseZone')
  })

  it('say how many found no room', () => {
    const names = Array.from({ length: 100 }, (_, i) => `handlerNumber${i}`)
    const index = mergeIndexes([{ seen: [{ seq: 1, names }] }])
    const [section = ''] = renderIndex(index, { ...budget, nameTokens: 60 })
    expect(section).toContain('handlerNumber0')
    expect(section).toMatch(/\(and \d+ more names: search the log with recall\)$/)
  })

  it('are gone with an entry that the user redacts', () => {
    const index = mergeIndexes([factsIn(itemsOf(conversation))])
    const left = withoutEntries(index, new Set([4, 5]))
    expect(JSON.stringify(left)).not.toMatch(/parseZone|zoneTable/)
    const withoutCall = withoutEntries(index, new Set([2]))
    expect(JSON.stringify(withoutCall.seen)).toContain('parseDate')
    expect(JSON.stringify(withoutCall)).not.toContain('dates.ts')
  })
})
