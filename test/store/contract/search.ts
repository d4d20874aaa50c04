import { expect, it } from 'vitest'
import { call, result } from '../../support/messages.ts'
import { compaction } from './drafts.ts'
import { create, fork, found, range, said, say, withTexts } from './helpers.ts'
import type { Start } from './world.ts'

/** The results of a search. */
export function searchTests(start: Start): void {
  it('finds the oldest and the newest of many entries, each once, and not what was redacted or deleted', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, ...range(1, 200).map((i) => `word-${i}-end`))
    for (const i of range(201, 300)) await say(store, session, `word-${i}-end`)
    const hits = await Promise.all([1, 127, 128, 129, 200, 201, 256, 300].map((i) => found(store, `word-${i}-end`)))
    expect(hits).toEqual([[1], [127], [128], [129], [200], [201], [256], [300]])
    for (const seq of [3, 299]) await store.redact(session.id, [seq])
    expect([await found(store, 'word-3-end'), await found(store, 'word-299-end')]).toEqual([[], []])
    await store.deleteSession(session.id)
    expect([await found(store, 'word-1-end'), await found(store, 'word-300-end')]).toEqual([[], []])
  })

  it('finds what was said in some sessions only, even if a deleted one shares it with a fork', async () => {
    const { store } = await start()
    const [a, b] = [await withTexts(store, 'a needle'), await withTexts(store, 'one more needle')]
    const child = await fork(store, b, 1)
    const among = async (...ids: string[]) =>
      (await store.search({ text: 'needle', among: ids })).map(({ session }) => session)
    expect(await among(a.id)).toEqual([a.id])
    expect(await among()).toEqual([])
    expect(await among(child.id)).toEqual([])
    await store.deleteSession(b.id)
    expect(await among(child.id)).toEqual([child.id])
    expect(await among(a.id)).toEqual([a.id])
  })

  const queries: readonly (readonly [string, string, string])[] = [
    ['a part of an identifier', 'const parseSessionQuery = 1', 'SessionQ'],
    ['a part of a snake_case name', 'max_retry_count', 'y_coun'],
    ['a part of a path', 'see src/store/store.ts:12', 'ore/store.ts:1'],
    ['one letter', 'zebra', 'z'],
    ['two letters', 'zebra', 'br'],
    ['one CJK character', '修复数据库的连接', '库'],
    ['two CJK characters', '修复数据库的连接', '据库'],
    ['three CJK characters', '修复数据库的连接', '数据库'],
    ['many CJK characters', '修复数据库的连接', '复数据库的连'],
    ['kana', 'こんにちは世界', 'にち'],
    ['hangul', '안녕하세요', '녕하'],
    ['an emoji', 'party 🎉 time', '🎉'],
    ['an emoji of several code points', 'by 👩‍💻 today', '👩‍💻'],
    ['a double quote', 'say "hello"', '"'],
    ['a phrase in quotes', 'say "hello" now', '"hello"'],
    ['a double quote between words', 'say "hello" now', 'say "hel'],
    ['an open quote', 'say "hello', '"hel'],
    ['a single quote', "it's", "'"],
    ['a percent sign', '100%', '%'],
    ['a percent sign between letters', 'a%b', 'a%b'],
    ['an underscore', 'a_b', '_'],
    ['an underscore between letters', 'a_b', 'a_b'],
    ['a backslash', 'C:\\dir', '\\'],
    ['a text that ends in a backslash', 'C:\\dir\\', 'dir\\'],
    ['an escaped wildcard', 'a\\%b', '\\%'],
    ['a star', 'a * b', '*'],
    ['a star after letters', 'glob*', 'glob*'],
    ['a hyphen', 'run --all', '-'],
    ['a flag', 'run --all', '--all'],
    ['a hyphen before a word', 'run -x', '-x'],
    ['parentheses', 'f(x)', '(x'],
    ['a colon', 'key: value', 'key:'],
    ['a caret', '^start', '^st'],
    ['a plus sign', 'c++', '++'],
    ['braces', '{HOME}', '{H'],
    ['a semicolon and a comment', "'; drop table entries; --", "'; drop"],
    ['AND', 'cats AND dogs', 'cats AND dogs'],
    ['OR', 'cats OR dogs', 'cats OR dogs'],
    ['NOT', 'cats NOT dogs', 'cats NOT dogs'],
    ['NEAR', 'NEAR(cats, dogs)', 'NEAR(cats'],
    ['an operator alone', 'black OR white', 'OR'],
    ['another case', 'Hello World', 'hELLO wORLD'],
    ['another case of one letter', 'Hello', 'h'],
    ['another case of Latin letters with marks', 'ÄRGER über', 'ärger ÜBER'],
    ['another case of one letter with a mark', 'Ärger', 'ä'],
    ['another case of Cyrillic', 'Привет', 'пРИВ'],
    ['text after a NUL', 'left\u0000rightmost', 'rightmost'],
    ['text after half an emoji', 'left \ud83c rightmost', 'rightmost'],
  ]

  it.each(queries)('finds %s, and only that', async (_, text, query) => {
    const { store } = await start()
    await withTexts(store, '!', text, '?', '1')
    const hits = await store.search({ text: query })
    expect(hits.map((hit) => hit.seq)).toEqual([2])
    expect(hits[0]?.snippet.toLowerCase()).toContain(query.toLowerCase())
  })

  it('finds the same among as many entries as are indexed', async () => {
    const { store } = await start()
    const session = await create(store)
    const all = [...queries.map(([, text]) => text), ...range(1, 150).map((i) => `filler ${i}`)]
    await say(store, session, ...all)
    for (const [, , query] of queries) {
      const has = (text: string) => text.toLowerCase().includes(query.toLowerCase())
      const seqs = all.flatMap((text, i) => (has(text) ? [i + 1] : [])).toReversed()
      expect(await found(store, { text: query, limit: 500 }), query).toEqual(seqs)
    }
  })

  it('takes an operator as a word: what has only one of its sides is not found', async () => {
    const { store } = await start()
    await withTexts(store, 'cats', 'dogs', 'cats dogs', 'catsXdogs')
    for (const query of ['cats OR dogs', 'cats AND dogs', 'NOT cats', 'cats*', 'c_ts', 'c%s', '-cats', '"cats"']) {
      expect({ query, seqs: await found(store, query) }).toEqual({ query, seqs: [] })
    }
  })

  it('finds nothing for a blank query', async () => {
    const { store } = await start()
    await withTexts(store, 'one', '  two  ', '')
    for (const query of ['', ' ', '\n\t ', '\u3000']) expect(await found(store, query)).toEqual([])
  })

  it('answers any query, however strange', async () => {
    const { store } = await start()
    await withTexts(store, 'one', 'party 🎉')
    const strange = [
      '\u0000',
      'a\u0000',
      '\ud83c',
      '\udf89x',
      '"',
      '""',
      '"""',
      "'",
      '(',
      ')',
      '()',
      '*',
      '^',
      ':',
      '{',
      '\\',
    ]
    const operators = [
      'AND',
      'OR',
      'NOT',
      'NEAR',
      'NEAR(',
      'AND AND',
      'a AND',
      '* *',
      '%%%',
      '___',
      '\\\\\\',
      '--',
      '/*',
    ]
    for (const query of [...strange, ...operators, '\u202e', '\uffff', '$1', '?', ':name']) {
      await expect(store.search({ text: query })).resolves.toBeInstanceOf(Array)
    }
  })

  it('finds by a long query, and answers one that is longer than all texts', async () => {
    const { store } = await start()
    const long = range(1, 1_000)
      .map((i) => `word${i}`)
      .join(' ')
    await withTexts(store, 'before', `${long} end`, 'after')
    expect(await found(store, long)).toEqual([2])
    expect(await found(store, `${long} other`)).toEqual([])
    for (const query of ['a'.repeat(200_000), '数'.repeat(100_000), '% _'.repeat(50_000), 'a b '.repeat(50_000)]) {
      expect(await found(store, query)).toEqual([])
    }
  })

  it('finds what was called, what came back, and what a summary says', async () => {
    const { store } = await start()
    const session = await create(store)
    await store.append(session.id, [
      said(call('c1', 'write', { path: 'deploy.ts', lines: ['say "apricot"\nand go', { deep: 'banana' }] })),
      said(result('c1', 'wrote 12 cherries')),
      compaction({ summary: 'the user likes damsons' }),
      { type: 'edit', of: 3, summary: 'the user likes elderberries' },
      said({ role: 'user', content: [{ type: 'text', text: 'and figs' }] }),
    ])
    const typed = async (text: string) => (await store.search({ text })).map((hit) => [hit.seq, hit.type])
    expect(await typed('deploy.ts')).toEqual([[1, 'message']])
    expect(await typed('say "apricot"')).toEqual([[1, 'message']])
    expect(await typed('banana')).toEqual([[1, 'message']])
    expect(await typed('12 cherries')).toEqual([[2, 'message']])
    expect(await typed('damsons')).toEqual([[3, 'compaction']])
    expect(await typed('elderberries')).toEqual([[4, 'edit']])
    expect(await typed('figs')).toEqual([[5, 'message']])
  })
}
