import { describe, expect, it } from 'vitest'
import { countedTerms, termOf } from '../../src/search/terms.ts'

const termsOf = (text: string) => [...countedTerms(text, new Map()).keys()]

describe('the terms of a text', () => {
  it.each(['maxParallel', 'max_parallel', 'max-parallel', 'MAX_PARALLEL', 'MaxParallel'])(
    'of %s are its parts and the whole name',
    (name) => {
      expect(termsOf(name)).toEqual(['max', 'parallel', 'maxparallel'])
    },
  )

  it('of a name with capital letters in a row end before the last of them', () => {
    expect(termsOf('parseHTTPHeader')).toEqual(expect.arrayContaining(['parse', 'http', 'header', 'parsehttpheader']))
  })

  it('of a path are those of its parts', () => {
    expect(termsOf('src/store/search-rows.ts')).toEqual(
      expect.arrayContaining(['src', 'store', 'search', 'rows', 'searchrows', 'ts']),
    )
  })

  it('keep versions, codes, hashes and numbers whole', () => {
    expect(termsOf('v1.22.3 TS2345 26427ddb 10.0.0.1 4711')).toEqual([
      '1.22.3',
      'ts2345',
      '26427ddb',
      '10.0.0.1',
      '4711',
    ])
  })

  it('have simple stems of English beside the words', () => {
    expect(termsOf('retries retrying')).toEqual(expect.arrayContaining(['retries', 'retri', 'retrying']))
    expect(termOf('files')).toBe(termOf('file'))
  })

  it('of Chinese and Japanese are pairs of characters', () => {
    expect(termsOf('重试逻辑')).toEqual(['重试', '试逻', '逻辑'])
    expect(termsOf('修改了retry逻辑')).toEqual(['修改', '改了', 'retry', 'retri', '逻辑'])
  })

  it('have no accents and no words that say nothing', () => {
    expect(termsOf('Die Prüfung of the Größe')).toEqual(['die', 'prufung', 'grosse', 'gross'])
  })

  it('of random letters are not their parts', () => {
    expect(termsOf('aGVsbG8gd29ybGQgYWJj')).toEqual(['agvsbg8gd29ybgqgywjj'])
  })
})
