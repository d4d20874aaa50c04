import fc from 'fast-check'
import { expect, it } from 'vitest'
import { full } from '../../support/full.ts'
import { assistant, call, result, user } from '../../support/messages.ts'
import { create, fork, found, range, refuses, said, say, withTexts } from './helpers.ts'
import type { Start } from './world.ts'

/** The results of a search. */
export function searchTests(start: Start): void {
  it('finds the oldest and the newest of many entries, each once, and not what was redacted or deleted', async () => {
    const { store } = await start()
    const session = await create(store)
    await say(store, session, ...range(1, 200).map((i) => `word-${i}-end`))
    for (const i of range(201, 300)) await say(store, session, `word-${i}-end`)
    const hits = async (...numbers: readonly number[]) =>
      Promise.all(numbers.map((i) => found(store, `"word-${i}-end"`)))
    expect(await hits(1, 127, 128, 129, 200, 201, 256, 300)).toEqual([
      [1],
      [127],
      [128],
      [129],
      [200],
      [201],
      [256],
      [300],
    ])
    for (const seq of [3, 299]) await store.redact(session.id, [seq])
    expect(await hits(3, 4, 299)).toEqual([[], [4], []])
    await store.deleteSession(session.id)
    expect(await hits(1, 300)).toEqual([[], []])
    expect(await store.search({ text: 'word' })).toMatchObject({ total: 0, searched: 0, nearest: [] })
  })

  it('finds what was said in some sessions only, even if a deleted one shares it with a fork', async () => {
    const { store } = await start()
    const [a, b] = [await withTexts(store, 'a needle'), await withTexts(store, 'one more needle')]
    const child = await fork(store, b, 1)
    const among = async (...ids: string[]) =>
      (await store.search({ text: 'needle', among: ids })).hits.map(({ session }) => session)
    expect(await among(a.id)).toEqual([a.id])
    expect(await among()).toEqual([])
    expect(await among(child.id)).toEqual([])
    await store.deleteSession(b.id)
    expect(await among(child.id)).toEqual([child.id])
    expect(await among(a.id)).toEqual([a.id])
  })

  const FILLER = ['!', 'somewhere over there', '?', 'nothing to see', '1 2 3 4 5']

  const queries: readonly (readonly [what: string, text: string, query: string])[] = [
    ['words in any order', 'set the limit of parallel uploads', 'parallel limit'],
    ['a quoted phrase', 'the parallel limit is four', '"parallel limit"'],
    ['a question', 'we keep the retry logic because of flaky networks', 'why keep the retry logic'],
    ['a name in camelCase by its words', 'const maxParallel = 4', 'max parallel'],
    ['a name in camelCase by another spelling', 'const maxParallel = 4', 'max_parallel'],
    ['a name in snake_case', 'max_parallel: 4', 'maxParallel'],
    ['a name with hyphens', 'pass --max-parallel 4', 'MAX_PARALLEL'],
    ['two words by one name', 'at most max parallel uploads', 'max-parallel'],
    ['the last parts of a path', 'see src/store/open-store.ts:12', 'store/open-store.ts'],
    ['an error code', 'it failed with ECONNREFUSED', 'econnrefused'],
    ['a version', 'needs node 22.18.0', 'node 22.18.0'],
    ['a hash', 'fixed in 7f4b27cf', '7f4b27cf'],
    ['a word by its stem', 'the upload was retried', 'retries of the uploads'],
    ['a part of a German compound', 'die Datenbankverbindung brach ab', 'Verbindung'],
    ['two Chinese characters', '修复数据库的连接', '据库'],
    ['a Chinese phrase', '修复数据库的连接', '数据库'],
    ['kana', 'こんにちは世界', 'にちは'],
    ['hangul', '안녕하세요', '안녕하세요'],
    ['words without their accents', 'der Ärger über das Café', 'arger cafe'],
    ['another case of Cyrillic', 'Привет', 'пРИВЕТ'],
    ['a part of an identifier in quotes', 'const parseSessionQuery = 1', '"SessionQ"'],
    ['a part of a snake_case name in quotes', 'max_retry_count', '"y_coun"'],
    ['a part of a path in quotes', 'see src/store/store.ts:17', '"ore/store.ts:17"'],
    ['the first number of a version in quotes', 'pull registry/app:v1.2.3', '"app:v1"'],
    ['a cut number of a version in quotes', 'pull registry/app:V20.2.3', '"v2"'],
    [
      'a part of a long name of short parts in quotes',
      `on-${'01-02-03-04-05-06-07-'.repeat(4)}08`,
      '"3-04-05-06-07-01-02"',
    ],
    ['a phrase in a strange case', 'then set it up', '"THEN sEt iT Up"'],
    ['a long vowel in quotes', 'すごーーーーい', '"ーーー"'],
    ['a version up to a sign that is not indexed', 'needs 1.2.3.\ufffd4', '"1.2.3.\ufffd"'],
    ['one letter', 'quick', 'q'],
    ['one Chinese character', '修复数据库的连接', '库'],
    ['an emoji', 'party 🎉 time', '🎉'],
    ['a double quote', 'say "hello"', '"'],
    ['a phrase with an open quote', 'say "hello', '"hello'],
    ['a single quote', "it's", "'"],
    ['a percent sign', '100%', '%'],
    ['an underscore', 'a_b', '_'],
    ['a backslash', 'C:\\dir', '\\'],
    ['a star', 'a * b', '*'],
    ['a flag', 'run --all', '--all'],
    ['parentheses in quotes', 'f(x)', '"(x"'],
    ['an operator of other searches', 'cats NEAR(dogs', 'NEAR('],
    ['only words that say nothing', 'to be or not to be', 'to be'],
    ['text after a NUL', 'left\u0000rightmost', 'rightmost'],
    ['text after half an emoji', 'left \ud83c rightmost', 'rightmost'],
    ['a word among control characters', 'left \u0007rightmost\u001b', 'rightmost\u0000'],
  ]

  it.each(queries)('finds %s, and only that', async (_, text, query) => {
    const { store } = await start()
    const session = await withTexts(store, ...FILLER, text)
    await say(store, session, ...FILLER)
    expect(await store.search({ text: query })).toMatchObject({ hits: [{ seq: 6, also: [] }], total: 1, nearest: [] })
  })

  it('finds the same among as many entries as are indexed', async () => {
    const { store } = await start()
    const session = await create(store)
    for (const [, text] of queries) await say(store, session, text, ...range(1, 6).map((i) => `filler ${i}`))
    for (const [i, [, , query]] of queries.entries()) {
      expect(await found(store, { text: query, limit: 500 }), query).toContain(7 * i + 1)
    }
  })

  it('puts what has all words, the rare ones, and them close together first', async () => {
    const { store } = await start()
    const far = `parallel ${'and so on '.repeat(400)} limit`
    const texts = ['the limit', 'a parallel universe', far, 'the parallel limit', 'limit limit limit']
    const session = await create(store)
    for (const text of texts) await say(store, session, text, ...range(1, 6).map((i) => `filler ${i}`))
    const seqs = await found(store, 'parallel limit')
    expect(seqs.slice(0, 2)).toEqual([22, 15])
    expect(seqs.toSorted((a, b) => a - b)).toEqual([1, 8, 15, 22, 29])
  })

  it('puts what the user said and what an edit changed before a file that has the same words', async () => {
    const { store } = await start()
    const session = await create(store)
    const rest = range(1, 6).map((i) => said(assistant(`rest ${i}`)))
    await store.append(session.id, [
      said(user('use a limit of four')),
      ...rest,
      said(call('c', 'edit', { path: 'a.ts', oldText: 'x', newText: 'use a limit of four' })),
      said(result('c', 'done')),
      ...rest,
      said(call('d', 'read', { path: 'b.ts' })),
      said(result('d', `const a = 1\nuse a limit of four\n${'some more lines\n'.repeat(20)}`)),
    ])
    expect(await found(store, 'limit four')).toEqual([1, 8, 17])
  })

  it('narrows a search by role, tool, file, error, time and session', async () => {
    const { store, clock } = await start()
    clock.now = Date.parse('2026-01-31T12:00:00Z')
    const session = await create(store)
    const rest = range(1, 6).map((i) => said(assistant(`rest ${i}`)))
    await store.append(session.id, [
      said(user('the needle')),
      ...rest,
      said(call('c', 'read', { path: 'src/needle.ts' })),
      ...rest,
    ])
    clock.now = Date.parse('2026-02-02T12:00:00Z')
    await store.append(session.id, [
      said({
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'read',
            output: { type: 'error-text', value: 'no needle there' },
          },
        ],
      }),
    ])
    const other = await withTexts(store, 'a needle elsewhere')
    const here = async (text: string) => {
      const { hits } = await store.search({ text })
      return hits.map((hit): string | number => (hit.session === other.id ? 'other' : hit.seq)).toSorted()
    }
    expect(await here('needle')).toEqual([1, 15, 8, 'other'])
    expect(await here('needle role:user')).toEqual([1, 'other'])
    expect(await here('role:tool needle')).toEqual([15])
    expect(await here('needle tool:read')).toEqual([15, 8])
    expect(await here('needle file:needle.ts')).toEqual([8])
    expect(await here('needle file:src/needle.ts')).toEqual([8])
    expect(await here('needle file:lib/needle.ts')).toEqual([])
    expect(await here('needle is:error')).toEqual([15])
    expect(await here('needle before:2026-02-01')).toEqual([1, 8])
    expect(await here('needle after:2026-02-01')).toEqual([15, 'other'])
    expect(await here(`needle session:${session.id}`)).toEqual([1, 15, 8])
    expect(await here('tool:read')).toEqual([15, 8])
    for (const wrong of ['role:robot', 'is:nice', 'before:yesterday', 'file:', 'after:2026-13-77'])
      await refuses(store.search({ text: `needle ${wrong}` }))
  })

  it('says which words are close, and how much was searched, when nothing is found', async () => {
    const { store } = await start()
    await withTexts(store, 'set maxParallel to four', 'the connection was refused', '')
    expect(await store.search({ text: 'conection' })).toEqual({
      hits: [],
      total: 0,
      searched: 2,
      nearest: ['connection'],
    })
    expect((await store.search({ text: 'maxParalel' })).hits).toMatchObject([{ seq: 1 }])
    expect((await store.search({ text: 'paralel' })).nearest).toEqual(['parallel'])
    expect(await store.search({ text: 'xylophone' })).toMatchObject({ hits: [], searched: 2, nearest: [] })
  })

  it('finds nothing for a blank query', async () => {
    const { store } = await start()
    await withTexts(store, 'one', '  two  ', '')
    for (const text of ['', ' ', '\n\t ', '\u3000', '""', '" "', '\0'])
      expect(await store.search({ text }), JSON.stringify(text)).toMatchObject({ hits: [], total: 0, searched: 2 })
  })

  it('answers any query, however strange', async () => {
    const { store } = await start()
    await withTexts(store, 'one', 'party 🎉')
    const signs = [
      '\u0000',
      'a\u0000',
      '\ud83c',
      '\udf89x',
      '"\ud83c"',
      '"',
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
    const words = ['AND', 'OR', 'NOT', 'NEAR(', 'a AND', '* *', '%%%', '___', '--', '/*', '\u202e', '\uffff', '$1', '?']
    for (const text of [...signs, ...words, ':name', 'a"b"c', 'file', 'to the of'])
      expect(await store.search({ text }), JSON.stringify(text)).toMatchObject({ searched: 2 })
  })

  it('finds by a long query, and answers one that is longer than all texts', async () => {
    const { store } = await start()
    const long = range(1, 1_000)
      .map((i) => `word${i}`)
      .join(' ')
    await withTexts(store, 'before', `${long} end`, 'after')
    expect(await found(store, long)).toEqual([2])
    expect(
      await found(
        store,
        range(1, 10_000)
          .map((i) => `word${i}`)
          .join(' '),
      ),
    ).toEqual([2])
    for (const text of ['a'.repeat(200_000), '数'.repeat(100_000), '% _'.repeat(50_000), 'a b '.repeat(50_000)])
      expect(await found(store, text)).toEqual([])
  })

  it('finds what was called, what came back, to-dos and titles', async () => {
    const { store } = await start()
    const session = await create(store)
    const rest = range(1, 5).map((i) => said(assistant(`rest ${i}`)))
    await store.append(session.id, [
      said(call('c1', 'write', { path: 'deploy.ts', lines: ['say "apricot"\nand go', { deep: 'banana' }] })),
      ...rest,
      said(result('c1', 'wrote 12 cherries')),
      ...rest,
      { type: 'todo', items: [{ text: 'buy damsons', status: 'pending' }] },
      ...rest,
      { type: 'settings', title: 'All about elderberries' },
      said({ role: 'user', content: [{ type: 'text', text: 'and figs' }] }),
    ])
    const typed = async (text: string) => (await store.search({ text })).hits.map((hit) => [hit.seq, hit.type])
    expect(await typed('deploy.ts')).toEqual([[1, 'message']])
    expect(await typed('apricot')).toEqual([[1, 'message']])
    expect(await typed('banana')).toEqual([[1, 'message']])
    expect(await typed('12 cherries')).toEqual([[7, 'message']])
    expect(await typed('damsons')).toEqual([[13, 'todo']])
    expect(await typed('elderberries')).toEqual([[19, 'settings']])
    expect(await typed('figs')).toEqual([[20, 'message']])
  })

  it('finds every part of a text of three characters or more, in quotation marks', async () => {
    const { store } = await start()
    const logs = fc.array(anyText, { minLength: 1, maxLength: 6 })
    const cuts = fc.array(fc.record({ which: fc.nat(), from: fc.nat(), length: fc.nat() }), {
      maxLength: 8,
      size: 'max',
    })
    await fc.assert(
      fc.asyncProperty(logs, cuts, async (texts, places) => {
        const session = await create(store)
        await store.append(
          session.id,
          texts.map((text, i) => said(i % 2 === 0 ? user(text) : assistant(text))),
        )
        for (const part of places.map((place) => partOf(texts, place))) {
          if ([...part].length < 3 || /["\n]/.test(part)) continue
          const total = texts.filter((text) => text.toLowerCase().includes(part.toLowerCase())).length
          const found = await store.search({ text: `"${part}"`, session: session.id })
          expect(found, JSON.stringify({ texts, part })).toMatchObject({ total })
        }
      }),
      { numRuns: full ? 1_000 : 40 },
    )
  })
}

type Cut = { readonly which: number; readonly from: number; readonly length: number }

function partOf(texts: readonly string[], { which, from, length }: Cut): string {
  const characters = [...(texts[which % texts.length] ?? '')]
  const at = from % characters.length
  return characters
    .slice(at, at + 3 + (length % 30))
    .join('')
    .trim()
}

/** Words, names, numbers and signs as logs have them, joined in every way. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          'the',
          'There',
          'is',
          'to',
          'parseHTTPResponse',
          'max_retry_count',
          'foo-bar',
          "don't",
          'retries',
          'running',
        ],
        ...[
          'v1.2.3',
          ':V20.1',
          '10.0.4x',
          '01-02-03-04-05-06-07-08-',
          '1e5',
          '2026-01-31T12:00',
          'src/store/a.ts:12',
          '0x7f',
          'ECONNREFUSED',
          'aBcDeFgHiJkL',
          'Ärger',
          'Straße',
          'Привет',
        ],
        ...[
          '数据库的连接',
          'こんにちは',
          'データ',
          'あーーーー',
          '안녕하세요',
          '🎉',
          '👩‍💻',
          'ﬁne',
          'İx',
          '—',
          '…',
          '\u00a0',
          '\ufffd',
        ],
      ),
      fc.string({ maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(...'aAbB01+/='), minLength: 60, maxLength: 200 }),
      fc.constantFrom(' ', ' ', ' ', '\n', '.', '-', '_', '/', '(', ')', ':'),
      fc.constantFrom(' there is ', ' the ', ' should have '),
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '')
