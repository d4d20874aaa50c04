import { describe, expect, it } from 'vitest'
import { codeNamesIn } from '../../../../src/engine/extract/text/code-names.ts'

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
